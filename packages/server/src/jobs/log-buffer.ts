import { applyCarriageReturns } from '@wharf/platform/carriage-returns.ts'
import { hasEscape } from '@wharf/platform/escape-sequences.ts'
import { plainText } from '@wharf/platform/plain-text.ts'
import { styledText } from '@wharf/platform/styled-text.ts'
import { SecretMask } from './secret-mask.ts'

/** Longer lines are of no use to a reader; the rest is cut off. */
export const maxLineLength = 8192
/** A runaway installer must fill neither the disk nor the memory. */
export const maxLines = 200_000
export const maxLogLength = 64 * 1024 * 1024

/** The lines of programs are limited in bytes, and cut before the character that exceeds the limit. */
const maxCharacterBytes = 4

/** The lines of the runner: a step or an undo starts, the job fails, an undo fails for the last time. */
export type LineKind = 'step' | 'undo' | 'failure' | 'undoFailure'

export interface LogLine {
  sequence: number
  at: number
  line: string
  kind: LineKind | null
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

  /** A line with a kind is stored even in a full log: it explains how the job ended. */
  add(at: number, text: string, kind: LineKind | null = null): void {
    for (const line of this.#maskedText(text, kind).split('\n')) {
      if (this.#isFull && kind === null) return
      this.#sequence++
      this.#length += line.length
      this.#lines.push({ sequence: this.#sequence, at, kind, line: this.#isFull && kind === null ? fullNotice : line })
    }
  }

  get #isFull(): boolean {
    return this.#sequence >= maxLines || this.#length >= maxLogLength
  }

  #maskedText(text: string, kind: LineKind | null): string {
    // the name of a step is not a secret, even when a secret is equal to it
    if (kind === 'step' || kind === 'undo') return text
    const isOneLine = !text.includes('\n')
    const mask = (part: string): string => (isOneLine ? this.#maskPrinted(part, text) : this.mask(part))
    const plain = (part: string): string => plainText(applyCarriageReturns(part))
    if (!hasEscape(text)) return cutLines(plain(mask(text)))
    // colours inside a secret separate its characters, so a line with a secret loses its colours
    const shown = plain(text)
    const maskedShown = mask(shown)
    if (maskedShown !== shown) return cutLines(maskedShown)
    const masked = mask(text)
    if (masked !== text) return cutLines(plain(masked))
    const styled = styledLines(text)
    return styled.length > maxLineLength ? cutLines(shown) : styled
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

  /** Masks a line that a program has printed. */
  maskLine(line: string): string {
    return this.#maskPrinted(line, line)
  }

  /** When the printed line was cut off, it may end within a secret, so the end of the text is left out. */
  #maskPrinted(text: string, printed: string): string {
    const masked = this.mask(text)
    const isCut = Buffer.byteLength(printed) > maxLineLength - maxCharacterBytes
    if (!isCut || this.#mask === undefined) return masked
    return `${masked.slice(0, Math.max(masked.length - this.#mask.longest + 1, 0))}…`
  }
}

const styledLines = (text: string): string => applyCarriageReturns(text).split('\n').map(styledText).join('\n')

const fullNotice = '… the log is full'

const cutLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line))
    .join('\n')
