import { plainText } from '../platform/plain-text.ts'

/** A line longer than this tells nobody anything; the rest is cut. */
export const maxLineLength = 8192
/** A runaway installer fills its log, neither the disk nor the memory. */
export const maxLines = 200_000
export const maxLogLength = 64 * 1024 * 1024

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
  /** Of what this process has taken; a job that moves on begins to count anew. */
  #length = 0
  /** The longest first: a short one may be part of it. */
  #secrets: string[] = []

  constructor(lastSequence: number, concealed: readonly string[] = []) {
    this.#sequence = lastSequence
    for (const secret of concealed) this.conceal(secret)
  }

  /** For whoever goes on with the job. */
  get concealed(): readonly string[] {
    return this.#secrets
  }

  conceal(secret: string): void {
    if (secret === '' || this.#secrets.includes(secret)) return
    // a key of several lines may be logged whole, or line by line
    const lines = secret.split(/\r?\n/).filter((line) => line.length >= minConcealedLength)
    // programs get secrets as JSON and may print them as they got them
    const written = JSON.stringify(secret).slice(1, -1)
    this.#secrets = [...new Set([...this.#secrets, secret, written, ...lines])].sort((a, b) => b.length - a.length)
  }

  add(at: number, text: string): void {
    for (const part of this.mask(text).split(/\r?\n/)) {
      if (this.#sequence >= maxLines || this.#length >= maxLogLength) return
      const line = clean(part)
      this.#sequence++
      this.#length += line.length
      const full = this.#sequence === maxLines || this.#length >= maxLogLength
      this.#lines.push({ sequence: this.#sequence, at, line: full ? '… the log is full' : line })
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
  const text = plainText(line)
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text
}
