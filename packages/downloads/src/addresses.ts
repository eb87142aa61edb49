import { type Address, type Cidr, contains, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'

interface Range {
  readonly what: string
  readonly networks: readonly Cidr[]
}

/** IPv6 addresses that embed an IPv4 address, at byte `at`, that a connection may end at. */
interface Embedding {
  readonly network: Cidr
  readonly at: number
  readonly isInverted?: true
}

/** Networks that a download must not reach. Private networks are not among them: packages are often served from there. */
const readRefused = (): readonly Range[] => [
  // each of these is also in another network; here it gets its specific name
  range('a cloud metadata address', '169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254'),
  // a connection to 0.0.0.0 or :: ends on this machine
  range('an unspecified address', '0.0.0.0/8', '::'),
  range('a loopback address', '127.0.0.0/8', '::1'),
  range('a link-local address', '169.254.0.0/16', 'fe80::/10'),
  range('a multicast address', '224.0.0.0/4', 'ff00::/8'),
  range('the broadcast address', '255.255.255.255'),
  // RFC 8215: the translator chooses the position of the embedded IPv4 address
  range('a locally translated address', '64:ff9b:1::/48'),
]

const range = (what: string, ...networks: readonly string[]): Range => ({ what, networks: networks.map(network) })

const readEmbeddings = (): readonly Embedding[] => [
  { network: network('::ffff:0:0/96'), at: 12 }, // IPv4-mapped
  { network: network('::/96'), at: 12 }, // IPv4-compatible
  { network: network('::ffff:0:0:0/96'), at: 12 }, // IPv4-translated, RFC 2765
  { network: network('64:ff9b::/96'), at: 12 }, // NAT64, RFC 6052
  { network: network('2002::/16'), at: 2 }, // 6to4, RFC 3056
  { network: network('2001::/32'), at: 12, isInverted: true }, // Teredo, RFC 4380: the client's address
]

// read at the first download: a start does not need them
let refused: readonly Range[] | undefined
let embeddings: readonly Embedding[] | undefined

/** Why this address may not be connected to; undefined when it may. `allow` admits what would be refused. */
export function refusalOf(ip: string, allow: readonly Cidr[]): string | undefined {
  const address = parseAddress(ip)
  return address === undefined ? 'not a plain IP address' : refusalOfAddress(address, allow)
}

export const allowedAddress = (ip: string, allow: readonly Cidr[]): boolean => refusalOf(ip, allow) === undefined

function refusalOfAddress(address: Address, allow: readonly Cidr[]): string | undefined {
  const isIn = (candidate: Cidr): boolean => contains(candidate, address)
  if (allow.some(isIn)) return undefined
  refused ??= readRefused()
  const own = refused.find(({ networks }) => networks.some(isIn))
  if (own) return own.what
  embeddings ??= readEmbeddings()
  const embedding = embeddings.find((each) => isIn(each.network))
  if (embedding === undefined) return undefined
  const { at, isInverted } = embedding
  const bytes = address.toByteArray().slice(at, at + 4)
  return refusalOf(bytes.map((byte) => (isInverted ? 255 - byte : byte)).join('.'), allow)
}

function network(text: string): Cidr {
  const parsed = parseCidr(text)
  if (parsed === undefined) throw new Error(`${text} is not a network`)
  return parsed
}
