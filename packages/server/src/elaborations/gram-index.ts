import { requiredTexts } from './required-text.ts'

/** Three characters in a row, hashed; two that fall together only make a candidate more. */
const hashBits = 18
const gramOf = (a: number, b: number, c: number): number =>
  (Math.imul(Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35), 0x27d4eb2f) >>>
    (32 - hashBits)) |
  0

/** As a pattern without case sees it: the two characters beyond ASCII that fold to an ASCII letter are that letter. */
function folded(code: number): number {
  if (code >= 65 && code <= 90) return code + 32
  return code === 0x212a ? 107 : code === 0x17f ? 115 : code
}

function gramsOf(texts: readonly string[]): number[] {
  const grams = new Set<number>()
  for (const text of texts)
    for (let at = 2; at < text.length; at++)
      grams.add(gramOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at)))
  return [...grams]
}

/** For each alternative of the pattern the grams that it needs; none at all when one of them needs none. */
function alternativesOf(pattern: string): number[][] {
  const alternatives = requiredTexts(pattern).map(gramsOf)
  return alternatives.every((grams) => grams.length > 0) ? alternatives : []
}

/** Whether a pattern needs any three characters in a row; if not, it has to be tried on every text. */
export const hasGrams = (pattern: string): boolean => alternativesOf(pattern).length > 0

/** Which patterns can match a text at all, found in one pass over it. */
export class GramIndex {
  readonly #alternatives: readonly (readonly number[][])[]
  /** The patterns under the rarest gram of each alternative. */
  readonly #lists = new Map<number, number[]>()
  readonly #hasList = new Uint8Array(1 << hashBits)
  readonly #always: number[] = []
  readonly #seenAt = new Uint32Array(1 << hashBits)
  #round = 0

  constructor(patterns: readonly string[]) {
    this.#alternatives = patterns.map(alternativesOf)
    const uses = new Uint32Array(1 << hashBits)
    for (const gram of this.#alternatives.flat(2)) uses[gram] = (uses[gram] ?? 0) + 1
    const rarer = (a: number, b: number): number => ((uses[b] ?? 0) < (uses[a] ?? 0) ? b : a)
    for (const [index, alternatives] of this.#alternatives.entries()) {
      if (alternatives.length === 0) this.#always.push(index)
      for (const grams of alternatives) this.#put(index, grams.reduce(rarer))
    }
  }

  #put(index: number, gram: number): void {
    const list = this.#lists.get(gram)
    if (list) list.push(index)
    else this.#lists.set(gram, [index])
    this.#hasList[gram] = 1
  }

  /** Ascending. */
  candidates(text: string): Uint32Array {
    const found = new Set(this.#always)
    for (const gram of this.#pass(text))
      for (const index of this.#lists.get(gram) ?? []) if (this.#canMatch(index)) found.add(index)
    return Uint32Array.from(found).sort()
  }

  /** Marks every gram of the text; gives those that lead to patterns. */
  #pass(text: string): number[] {
    this.#round = (this.#round + 1) >>> 0
    // once in four billion lookups the marks of the first could be taken for ours
    if (this.#round === 0) {
      this.#seenAt.fill(0)
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
        if (this.#hasList[gram] === 1) hits.push(gram)
      }
      a = b
      b = c
    }
    return hits
  }

  #canMatch(index: number): boolean {
    const isSeen = (gram: number): boolean => this.#seenAt[gram] === this.#round
    return this.#alternatives[index]?.some((grams) => grams.every(isSeen)) ?? false
  }
}
