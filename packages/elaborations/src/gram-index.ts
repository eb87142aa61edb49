import { alternativeFuel, type Fuel } from './fuel.ts'
import { folded, gramCount, gramOf, neededGrams } from './grams.ts'

/** One alternative of a pattern, filed under its rarest gram. */
interface Alternative {
  readonly pattern: number
  readonly key: number
  readonly others: readonly number[]
}

/** Which patterns can match a text at all, found in one pass over it. */
export class GramIndex {
  /**
   * Of each alternative its pattern, how many other grams it needs, and these; those with the same rarest gram stand
   * side by side, so that a text that leads to all of them reads memory in order.
   */
  readonly #postings: Uint32Array
  /** Where the alternatives under a gram begin and end. */
  readonly #ranges = new Map<number, { readonly start: number; end: number }>()
  readonly #hasRange = new Uint8Array(gramCount)
  readonly #always: number[] = []
  readonly #seenAt = new Uint32Array(gramCount)
  readonly #foundAt: Uint32Array
  #round = 0

  constructor(patterns: readonly string[]) {
    this.#foundAt = new Uint32Array(patterns.length)
    const needed = patterns.map(neededGrams)
    const uses = new Uint32Array(gramCount)
    for (const alternatives of needed)
      for (const grams of alternatives) for (const gram of grams) uses[gram] = (uses[gram] ?? 0) + 1
    const rarer = (a: number, b: number): number => ((uses[b] ?? 0) < (uses[a] ?? 0) ? b : a)
    const filed: Alternative[] = []
    for (const [pattern, alternatives] of needed.entries()) {
      if (alternatives.length === 0) this.#always.push(pattern)
      for (const grams of alternatives) {
        const key = grams.reduce(rarer)
        filed.push({ pattern, key, others: grams.filter((gram) => gram !== key) })
      }
    }
    this.#postings = this.#laidOut(filed)
  }

  #laidOut(filed: Alternative[]): Uint32Array {
    const postings = new Uint32Array(filed.reduce((sum, { others }) => sum + 2 + others.length, 0))
    let at = 0
    for (const { pattern, key, others } of filed.sort((a, b) => a.key - b.key)) {
      const start = at
      postings[at++] = pattern
      postings[at++] = others.length
      postings.set(others, at)
      at += others.length
      const range = this.#ranges.get(key)
      if (range) range.end = at
      else this.#ranges.set(key, { start, end: at })
      this.#hasRange[key] = 1
    }
    return postings
  }

  /** Ascending. Every alternative is looked at once at most, and paid for. Throws OutOfFuel. */
  candidates(text: string, fuel: Fuel, isWanted: (index: number) => boolean): Uint32Array {
    const found = this.#always.filter(isWanted)
    for (const gram of this.#pass(text, fuel)) this.#collect(gram, fuel, isWanted, found)
    return Uint32Array.from(found).sort()
  }

  #collect(gram: number, fuel: Fuel, isWanted: (index: number) => boolean, found: number[]): void {
    const { start, end } = this.#ranges.get(gram) ?? { start: 0, end: 0 }
    for (let at = start; at < end; ) {
      const pattern = this.#postings[at] ?? 0
      const from = at + 2
      at = from + (this.#postings[at + 1] ?? 0)
      fuel.spend(alternativeFuel)
      if (this.#foundAt[pattern] === this.#round || !this.#areSeen(from, at, fuel) || !isWanted(pattern)) continue
      this.#foundAt[pattern] = this.#round
      found.push(pattern)
    }
  }

  #areSeen(from: number, to: number, fuel: Fuel): boolean {
    let at = from
    while (at < to && this.#seenAt[this.#postings[at] ?? 0] === this.#round) at++
    fuel.spend(at - from)
    return at === to
  }

  /** Marks every gram of the text; gives those that lead to patterns. */
  #pass(text: string, fuel: Fuel): number[] {
    fuel.spend(text.length)
    this.#round = (this.#round + 1) >>> 0
    // once in four billion lookups the marks of the first could be taken for ours
    if (this.#round === 0) {
      this.#seenAt.fill(0)
      this.#foundAt.fill(0)
      this.#round = 1
    }
    const hits: number[] = []
    let a = folded(text.charCodeAt(0))
    let b = folded(text.charCodeAt(1))
    for (let at = 2; at < text.length; at++) {
      const c = folded(text.charCodeAt(at))
      const gram = gramOf(a, b, c)
      if (this.#seenAt[gram] !== this.#round) {
        this.#seenAt[gram] = this.#round
        if (this.#hasRange[gram] === 1) hits.push(gram)
      }
      a = b
      b = c
    }
    return hits
  }
}
