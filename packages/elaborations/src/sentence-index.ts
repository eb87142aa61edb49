import { minSimilarity } from './elaboration.ts'
import type { Fuel } from './fuel.ts'
import { Comparison, commonPrefix, neededMatches } from './similarity.ts'

/** Characters are counted in this many groups: a bound on how many can match, for a few additions. */
const groups = 32

export interface Likeness {
  readonly index: number
  readonly similarity: number
}

function countInto(counts: Uint16Array, from: number, text: string): void {
  for (let at = 0; at < text.length; at++) {
    const slot = from + (text.charCodeAt(at) % groups)
    counts[slot] = (counts[slot] ?? 0) + 1
  }
}

/** Sentences in an order, and the one that is most like a text; the earlier one of two alike. */
export class SentenceIndex {
  readonly #sentences: readonly string[]
  readonly #counts: Uint16Array
  readonly #longest: number

  constructor(sentences: readonly string[]) {
    this.#sentences = sentences
    this.#longest = sentences.reduce((longest, { length }) => Math.max(longest, length), 0)
    this.#counts = new Uint16Array(sentences.length * groups)
    for (const [index, sentence] of sentences.entries()) countInto(this.#counts, index * groups, sentence)
  }

  /** Throws OutOfFuel. */
  nearest(text: string, fuel: Fuel, isWanted: (index: number) => boolean): Likeness | undefined {
    // with less than half the length in common no likeness reaches the limit
    if (text === '' || text.length > 2 * this.#longest) return undefined
    fuel.spend(this.#sentences.length * 4)
    const comparison = new Comparison(text)
    const counts = new Uint16Array(groups)
    countInto(counts, 0, text)
    let best: Likeness | undefined
    for (const [index, sentence] of this.#sentences.entries()) {
      const prefix = commonPrefix(text, sentence)
      const needed = neededMatches(text.length, sentence.length, prefix, best?.similarity ?? minSimilarity)
      if (needed > Math.min(text.length, sentence.length) || !isWanted(index)) continue
      fuel.spend(8)
      if (this.#inCommon(counts, index, needed) < needed) continue
      fuel.spend(4 * (text.length + sentence.length))
      const similarity = comparison.similarity(sentence, needed)
      if (best === undefined ? similarity >= minSimilarity : similarity > best.similarity) best = { index, similarity }
    }
    return best
  }

  #inCommon(counts: Uint16Array, index: number, enough: number): number {
    let sum = 0
    const from = index * groups
    for (let group = 0; group < groups && sum < enough; group++)
      sum += Math.min(counts[group] ?? 0, this.#counts[from + group] ?? 0)
    return sum
  }
}
