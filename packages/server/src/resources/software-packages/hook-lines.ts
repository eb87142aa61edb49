import { ApiError } from '@wharf/platform/api-error.ts'
import { applyCarriageReturns } from '@wharf/platform/carriage-returns.ts'

/** A line of a hook's output: its progress, its result, or plain output. */
export type HookLine =
  | { kind: 'progress'; percent: number; text: string }
  | { kind: 'result'; value: object }
  | { kind: 'log' }

const maxResultLength = 64 * 1024

/** `::progress 40 unpacking` and `::result {json}`; everything else is for the log. */
export function readHookLine(line: string): HookLine {
  const progress = /^::progress\s+(\d{1,3})(?:\s+(.*))?$/.exec(line)
  if (progress) return { kind: 'progress', percent: Math.min(Number(progress[1]), 100), text: progress[2] ?? '' }
  if (!line.startsWith('::result')) return { kind: 'log' }
  const text = line.slice('::result'.length).trim()
  try {
    const value: unknown = text.length <= maxResultLength ? JSON.parse(text) : undefined
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'result', value }
  } catch {
    // reported below
  }
  throw new ApiError('SoftwarePackage.1300', 'the hook printed ::result without a JSON object after it')
}

/** The last lines that a program printed, for the error that reports its failure. */
export class LastLines {
  readonly #lines: string[] = []
  readonly #keep: number
  readonly #mask: (line: string) => string

  /** `mask` is applied before a line is cut, because the cut could split a secret. */
  constructor({ keep = 10, mask = (line: string): string => line } = {}) {
    this.#keep = keep
    this.#mask = mask
  }

  add(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > this.#keep) this.#lines.shift()
  }

  toString(): string {
    return this.#lines.map((line) => applyCarriageReturns(this.#mask(line)).slice(0, 500)).join('\n')
  }
}
