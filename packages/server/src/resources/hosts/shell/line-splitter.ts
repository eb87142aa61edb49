const newline = 0x0a

/** A line longer than this tells nobody anything; the rest of it is dropped. */
export const maxLineBytes = 8192

/** Cuts bytes into lines. Bytes that are no UTF-8 become replacement characters. */
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

  /** What is left without an end of line is a line too. */
  end(): void {
    if (this.#pendingBytes > 0) this.#emit()
  }

  #keep(part: Buffer): void {
    const room = maxLineBytes - this.#pendingBytes
    const kept = part.subarray(0, Math.max(room, 0))
    // a copy, or a short rest would hold on to its whole chunk
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

/** A cut must not go through a character. */
function lastBoundary(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  const first = bytes[start] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? start : bytes.length
}
