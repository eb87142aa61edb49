export interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

/**
 * RFC 9110, 14.2: one range of bytes out of so many. `whole` for what is no such range, which is passed over: other units,
 * several ranges, nonsense. `none` when nothing of what is wanted exists.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'whole' | 'none' {
  const [, first, last] = /^bytes=\s*(\d{0,20})-(\d{0,20})\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const wanted = Math.min(Number(last), bytes)
    return wanted === 0 ? 'none' : { start: bytes - wanted, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= bytes ? 'none' : { start, end }
}
