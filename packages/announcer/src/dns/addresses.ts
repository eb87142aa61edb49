/** IP addresses as text and as the bytes of A and AAAA records. */

export const ipv4Text = (bytes: Uint8Array): string => bytes.join('.')

export function ipv6Text(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  )
  // URL normalizes to the shortest form
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

export const ipv4Bytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

/** For an address of the system, without a zone. */
export function ipv6Bytes(address: string): Buffer {
  const normalized = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = normalized.split('::').map((half) => half.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  const bytes = Buffer.alloc(16)
  for (const [at, group] of groups.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * at)
  return bytes
}
