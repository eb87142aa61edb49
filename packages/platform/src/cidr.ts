import { isIP } from 'node:net'

/** An IP address as a number of 32 or 128 bits. */
export interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

/** A network: every address that shares its first `prefix` bits. */
export interface Cidr extends Address {
  readonly prefix: number
}

export const cidrRule = 'must be a network such as 10.0.0.0/8 or fd00::/8 without host bits, or an address'

export const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)

/** Undefined for what is no address. One with a zone (`fe80::1%eth0`) is none: it means something else on every host. */
export function parseAddress(text: string): Address | undefined {
  const family = isIP(text)
  if (family === 4) return { family, value: fromGroups(text.split('.').map(Number), 8n) }
  if (family === 6 && !text.includes('%')) return { family, value: fromGroups(groupsOf(text), 16n) }
  return undefined
}

/** A bare address is the network of that address alone. Host bits are refused: 10.1.2.3/8 may mean either. */
export function parseCidr(text: string): Cidr | undefined {
  const [addressText = '', prefixText, ...more] = text.split('/')
  const address = parseAddress(addressText)
  if (address === undefined || more.length > 0) return undefined
  const bits = bitsOf(address.family)
  const prefix = prefixText === undefined ? bits : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN
  if (!(prefix <= bits)) return undefined
  const hostBits = BigInt(bits - prefix)
  return (address.value >> hostBits) << hostBits === address.value ? { ...address, prefix } : undefined
}

export function contains(network: Cidr, address: Address): boolean {
  const hostBits = BigInt(bitsOf(network.family) - network.prefix)
  return network.family === address.family && network.value >> hostBits === address.value >> hostBits
}

const fromGroups = (groups: readonly number[], bits: bigint): bigint =>
  groups.reduce((value, group) => (value << bits) | BigInt(group), 0n)

/** The eight groups of an IPv6 address that isIP has found right. */
function groupsOf(text: string): number[] {
  const [head = [], tail = []] = text.split('::').map((half) => half.split(':').filter(Boolean).flatMap(groupOf))
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** The last two groups may be written as an IPv4 address. */
function groupOf(text: string): number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

/** The network that an address with a prefix lies in: `10.1.2.3/8` is in 10.0.0.0/8. */
export function networkOf(text: string): Cidr | undefined {
  const [addressText = '', prefixText = '', ...more] = text.split('/')
  const address = parseAddress(addressText)
  if (address === undefined || more.length > 0 || !/^\d{1,3}$/.test(prefixText)) return undefined
  const hostBits = BigInt(bitsOf(address.family) - Number(prefixText))
  if (hostBits < 0n) return undefined
  return { family: address.family, value: (address.value >> hostBits) << hostBits, prefix: Number(prefixText) }
}

export const writtenCidr = (network: Cidr): string => `${writtenAddress(network)}/${network.prefix}`

function writtenAddress({ family, value }: Address): string {
  const groups = (count: number, bits: bigint): bigint[] =>
    Array.from({ length: count }, (_, index) => (value >> (BigInt(count - 1 - index) * bits)) & ((1n << bits) - 1n))
  if (family === 4) return groups(4, 8n).join('.')
  // the parser of the web knows the shortest form
  const long = groups(8, 16n).map((group) => group.toString(16))
  return new URL(`http://[${long.join(':')}]`).hostname.slice(1, -1)
}
