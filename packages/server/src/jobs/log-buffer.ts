import { plainText } from '@wharf/platform/plain-text.ts'
import { SecretMask } from './secret-mask.ts'

/** Longer lines are of no use to a reader; the rest is cut off. */
export const maxLineLength = 8192
/** A runaway installer must fill neither the disk nor the memory. */
export const maxLines = 200_000
export const maxLogLength = 64 * 1024 * 1024

/** The lines of programs are limited in bytes, and cut before the character that exceeds the limit. */
const maxCharacterBytes = 4

export interface LogLine {
  sequence: number
  at: number
  line: string
}

/** Numbers and masks the lines of a job until they are written in a batch. */
export class LogBuffer {
  #lines: LogLine[] = []
  #sequence: number
  /** Counted by this process; the next owner starts at zero. */
  #length = 0
  readonly #secrets = new Set<string>()
  #mask: SecretMask | undefined

  constructor(lastSequence: number, concealed: readonly string[] = []) {
    this.#sequence = lastSequence
    for (const secret of concealed) this.conceal(secret)
  }

  /** For the next owner of the job. */
  get concealed(): readonly string[] {
    return [...this.#secrets]
  }

  conceal(secret: string): void {
    if (secret === '' || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    this.#mask = undefined
  }

  add(at: number, text: string): void {
    if (this.#isFull) return
    const masked = text.includes('\n') ? this.mask(text) : this.maskLine(text)
    for (const part of masked.split(/\r?\n/)) {
      if (this.#isFull) return
      const line = clean(part)
      this.#sequence++
      this.#length += line.length
      const isFull = this.#sequence === maxLines || this.#length >= maxLogLength
      this.#lines.push({ sequence: this.#sequence, at, line: isFull ? '… the log is full' : line })
    }
  }

  get #isFull(): boolean {
    return this.#sequence >= maxLines || this.#length >= maxLogLength
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

  /** For texts about the job outside of its log. */
  mask(text: string): string {
    if (this.#secrets.size === 0) return text
    this.#mask ??= new SecretMask(this.#secrets)
    return this.#mask.mask(text)
  }

  /** Masks a line that a program has printed. A line that was cut off may end within a secret, so its end is left out. */
  maskLine(line: string): string {
    const masked = this.mask(line)
    const isCut = Buffer.byteLength(line) > maxLineLength - maxCharacterBytes
    if (!isCut || this.#mask === undefined) return masked
    return `${masked.slice(0, Math.max(masked.length - this.#mask.longest + 1, 0))}…`
  }
}

function clean(line: string): string {
  const text = plainText(line)
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text
}
