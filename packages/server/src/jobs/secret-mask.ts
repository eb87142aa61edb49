import { secretForms } from './secret-forms.ts'

const slots = 0x10000
/** Most positions of a text are ruled out by its first two characters, or by its only one. */
const slotOf = (text: string, at: number, length: number): number =>
  (text.charCodeAt(at) * 31 + (length > 1 ? text.charCodeAt(at + 1) : 0)) % slots

/** Limits the compared characters: secrets with a common prefix could otherwise block the node for minutes. */
const comparisonsFor = (text: string): number => 1_000_000 + 64 * text.length

const mark = '[secret]'

/**
 * Finds secrets in every form in one pass over the text. Not by one pattern of all of them: compiling that takes seconds
 * for a configuration of a hundred kilobytes.
 */
export class SecretMask {
  /** Sorted: the forms that are prefixes of a text are the form that sorts before it and the prefixes of that form. */
  readonly #forms: readonly string[]
  /** For each form, the longest other form that is its prefix, or -1. */
  readonly #shorter: Int32Array
  readonly #isUsed = new Uint8Array(slots)
  readonly #hasSingles: boolean
  readonly longest: number

  constructor(secrets: Iterable<string>) {
    this.#forms = [...new Set([...secrets].flatMap(secretForms))].sort()
    this.#shorter = shorterOf(this.#forms)
    this.#hasSingles = this.#forms.some(({ length }) => length === 1)
    this.longest = this.#forms.reduce((longest, { length }) => Math.max(longest, length), 0)
    for (const form of this.#forms) this.#isUsed[slotOf(form, 0, form.length)] = 1
  }

  /** A text that takes too many comparisons is masked from there to its end. */
  mask(text: string): string {
    const budget = { comparisons: comparisonsFor(text) }
    let masked = ''
    let from = 0
    for (let at = 0; at < text.length; ) {
      const length = this.#isCandidate(text, at) ? this.#lengthAt(text, at, budget) : 0
      if (budget.comparisons < 0) return `${masked}${text.slice(from, at)}${mark}`
      if (length === 0) at++
      else {
        masked += `${text.slice(from, at)}${mark}`
        at += length
        from = at
      }
    }
    return masked + text.slice(from)
  }

  #isCandidate(text: string, at: number): boolean {
    if (at + 1 < text.length && this.#isUsed[slotOf(text, at, 2)] === 1) return true
    return this.#hasSingles && this.#isUsed[slotOf(text, at, 1)] === 1
  }

  /** The length of the longest form at this position; 0 for none. */
  #lengthAt(text: string, at: number, budget: { comparisons: number }): number {
    let low = 0
    let high = this.#forms.length
    let common = 0
    while (low < high && budget.comparisons >= 0) {
      const middle = (low + high) >>> 1
      const form = this.#forms[middle] ?? ''
      const same = commonLength(form, text, at)
      budget.comparisons -= same + 1
      if (same === form.length || form.charCodeAt(same) < text.charCodeAt(at + same)) {
        low = middle + 1
        common = same
      } else high = middle
    }
    let index = low - 1
    while (index >= 0 && (this.#forms[index]?.length ?? 0) > common) index = this.#shorter[index] ?? -1
    return this.#forms[index]?.length ?? 0
  }
}

function commonLength(form: string, text: string, at: number): number {
  const most = Math.min(form.length, text.length - at)
  let same = 0
  while (same < most && form.charCodeAt(same) === text.charCodeAt(at + same)) same++
  return same
}

function shorterOf(forms: readonly string[]): Int32Array {
  const shorter = new Int32Array(forms.length)
  const open: number[] = []
  for (const [index, form] of forms.entries()) {
    while (open.length > 0 && !form.startsWith(forms[open.at(-1) ?? 0] ?? '')) open.pop()
    shorter[index] = open.at(-1) ?? -1
    open.push(index)
  }
  return shorter
}
