const newline = 0x0a

/** The rest of a longer line is dropped. */
export const maxLineBytes = 8192

/** Splits bytes into lines. Invalid UTF-8 becomes replacement characters. */
export class LineSplitter {
  readonly #onLine: (line: string) => void
  #pending: Buffer[] = []
  #pendingBytes = 0

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end))
      this.#emit()
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
  }

  /** A rest without a line end is a line too. */
  end(): void {
    if (this.#pendingBytes > 0) this.#emit()
  }

  #keep(part: Buffer): void {
    const available = maxLineBytes - this.#pendingBytes
    const kept = part.subarray(0, Math.max(available, 0))
    // a copy, because a short rest would keep its whole chunk in memory
    if (kept.length > 0) this.#pending.push(Buffer.from(kept))
    this.#pendingBytes += kept.length
  }

  #emit(): void {
    const bytes = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    const whole = bytes.length === maxLineBytes ? bytes.subarray(0, lastBoundary(bytes)) : bytes
    this.#onLine(whole.toString('utf8').replace(/\r$/, ''))
  }
}

/** A line is not cut inside a character. */
function lastBoundary(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  const first = bytes[start] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? start : bytes.length
}
