/** A line longer than this tells nobody anything; the rest is cut. */
export const maxLineLength = 8192
/** A runaway installer fills the log, not the disk. */
export const maxLines = 200_000

export interface LogLine {
  sequence: number
  at: number
  line: string
}

/** Numbers and masks the lines of a job until they are written in a batch. */
export class LogBuffer {
  #lines: LogLine[] = []
  #sequence: number
  readonly #secrets: string[] = []

  constructor(lastSequence: number) {
    this.#sequence = lastSequence
  }

  conceal(secret: string): void {
    if (secret.length > 0) this.#secrets.push(secret)
  }

  add(at: number, text: string): void {
    for (const part of text.split(/\r?\n/)) {
      if (this.#sequence >= maxLines) return
      this.#sequence++
      const full = this.#sequence === maxLines
      this.#lines.push({ sequence: this.#sequence, at, line: full ? '… the log is full' : this.#clean(part) })
    }
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

  #clean(line: string): string {
    let text = line
    for (const secret of this.#secrets) text = text.replaceAll(secret, '[secret]')
    // NUL cannot be stored in PostgreSQL, and terminals act on the others
    text = text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd')
    return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text
  }
}
