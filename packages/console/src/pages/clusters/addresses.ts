/** An IP address as a number of 32 or 128 bits. */
export interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

/** Every address that shares its first `prefix` bits. */
export interface Network extends Address {
  readonly prefix: number
}

const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)

/** Undefined for invalid addresses, and for those with a zone, which is specific to a host. */
export function parseAddress(text: string): Address | undefined {
  const four = fourBytes(text)
  if (four) return { family: 4, value: joined(four, 8n) }
  const groups = eightGroups(text)
  return groups && { family: 6, value: joined(groups, 16n) }
}

const joined = (groups: readonly number[], bits: bigint): bigint =>
  groups.reduce((value, group) => (value << bits) | BigInt(group), 0n)

function fourBytes(text: string): number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return undefined
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : undefined
}

/** `::` may occur once; the last two groups may have IPv4 notation. */
function eightGroups(text: string): number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const parsed = halves.map((half, index) => groupsIn(half, index === halves.length - 1))
  if (parsed.some((half) => half === undefined)) return undefined
  const [head = [], tail = []] = parsed as number[][]
  const missing = 8 - head.length - tail.length
  if (halves.length === 1) return missing === 0 ? head : undefined
  return missing >= 1 ? [...head, ...Array<number>(missing).fill(0), ...tail] : undefined
}

function groupsIn(half: string, isLast: boolean): number[] | undefined {
  if (half === '') return []
  const parts = half.split(':')
  const groups = parts.flatMap((part, index): number[] => {
    if (/^[0-9A-Fa-f]{1,4}$/.test(part)) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = (isLast && index === parts.length - 1 && fourBytes(part)) || [-1]
    return a < 0 ? [-1] : [a * 256 + b, c * 256 + d]
  })
  return groups.includes(-1) ? undefined : groups
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/** An address, or a host name (RFC 1123) whose last label is not numeric; the rule of the server. */
export function isHost(text: string): boolean {
  if (parseAddress(text)) return true
  const labels = text.split('.')
  return text.length <= 253 && labels.every((one) => label.test(one)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/** `10.1.2.3/8` → its network, and whether host bits were set. */
export function parseNetwork(text: string): { network: Network; hasHostBits: boolean } | undefined {
  const [addressText = '', prefixText = '', ...more] = text.split('/')
  const address = parseAddress(addressText)
  if (address === undefined || more.length > 0 || !/^\d{1,3}$/.test(prefixText)) return undefined
  const prefix = Number(prefixText)
  const hostBits = BigInt(bitsOf(address.family) - prefix)
  if (hostBits < 0n) return undefined
  const value = (address.value >> hostBits) << hostBits
  return { network: { family: address.family, value, prefix }, hasHostBits: value !== address.value }
}

export function contains({ family, value, prefix }: Network, address: Address): boolean {
  const hostBits = BigInt(bitsOf(family) - prefix)
  return family === address.family && value >> hostBits === address.value >> hostBits
}

export const isSameAddress = (one: string, other: string): boolean => {
  const [a, b] = [parseAddress(one), parseAddress(other)]
  return a !== undefined && a.family === b?.family && a.value === b.value
}

export function writtenNetwork({ family, value, prefix }: Network): string {
  const groups = (count: number, bits: bigint): bigint[] =>
    Array.from({ length: count }, (_, index) => (value >> (BigInt(count - 1 - index) * bits)) & ((1n << bits) - 1n))
  if (family === 4) return `${groups(4, 8n).join('.')}/${prefix}`
  // the URL parser writes the shortest form
  const long = groups(8, 16n).map((group) => group.toString(16))
  return `${new URL(`http://[${long.join(':')}]`).hostname.slice(1, -1)}/${prefix}`
}
