/** A line longer than this tells nobody anything; the rest is cut. */
export const maxLineLength = 8192
/** A runaway installer fills the log, not the disk. */
export const maxLines = 200_000

/** Of a secret with several lines, those shorter than this give nothing away. */
const minConcealedLength = 8

export interface LogLine {
  sequence: number
  at: number
  line: string
}

/** Numbers and masks the lines of a job until they are written in a batch. */
export class LogBuffer {
  #lines: LogLine[] = []
  #sequence: number
  /** The longest first: a short one may be part of it. */
  #secrets: string[] = []

  constructor(lastSequence: number) {
    this.#sequence = lastSequence
  }

  conceal(secret: string): void {
    if (secret === '' || this.#secrets.includes(secret)) return
    // a key of several lines may be logged whole, or line by line
    const lines = secret.split(/\r?\n/).filter((line) => line.length >= minConcealedLength)
    this.#secrets = [...new Set([...this.#secrets, secret, ...lines])].sort((a, b) => b.length - a.length)
  }

  add(at: number, text: string): void {
    for (const part of this.mask(text).split(/\r?\n/)) {
      if (this.#sequence >= maxLines) return
      this.#sequence++
      const full = this.#sequence === maxLines
      this.#lines.push({ sequence: this.#sequence, at, line: full ? '… the log is full' : clean(part) })
    }
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0
  }

  take(): LogLine[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }

  /** Puts back what could not be written. */
  restore(lines: LogLine[]): void {
    this.#lines = [...lines, ...this.#lines]
  }

  /** For what does not go into the log but tells of the job elsewhere. */
  mask(text: string): string {
    let masked = text
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, '[secret]')
    return masked
  }
}

function clean(line: string): string {
  // NUL cannot be stored in PostgreSQL, and terminals act on the others
  const text = line.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text
}
