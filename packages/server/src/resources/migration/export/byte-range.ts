export interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

/**
 * RFC 9110, 14.2: one range of a file of `bytes`. `whole` for a header that is ignored: other units, several ranges, or an
 * invalid one. `none` when the range is outside the file.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'whole' | 'none' {
  const [, first, last] = /^bytes=\s*(\d{0,20})-(\d{0,20})\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'none' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= bytes ? 'none' : { start, end }
}
