/** Bits of a signature: an entry of 400 characters sets one in four. */
const bits = 1024
const words = bits / 32

const pairOf = (a: number, b: number): number => (Math.imul(a, 0x9e37) ^ Math.imul(b, 0x85eb)) & (bits - 1)

/** Which pairs of neighbouring characters each text has, so that most texts need not be searched for a word. */
export class PairSignatures {
  readonly #bits: Uint32Array

  constructor(texts: readonly string[]) {
    this.#bits = new Uint32Array(texts.length * words)
    for (const [index, text] of texts.entries())
      for (let at = 1; at < text.length; at++) {
        const pair = pairOf(text.charCodeAt(at - 1), text.charCodeAt(at))
        const slot = index * words + (pair >>> 5)
        this.#bits[slot] = (this.#bits[slot] ?? 0) | (1 << (pair & 31))
      }
  }

  /** The pairs of some words, each once. */
  static pairsOf(sought: readonly string[]): number[] {
    const pairs = new Set<number>()
    for (const word of sought)
      for (let at = 1; at < word.length; at++) pairs.add(pairOf(word.charCodeAt(at - 1), word.charCodeAt(at)))
    return [...pairs]
  }

  /** How many of these pairs the text has before the first that it lacks; with fewer than all it lacks a word. */
  countPresent(index: number, pairs: readonly number[]): number {
    let count = 0
    for (const pair of pairs) {
      if ((((this.#bits[index * words + (pair >>> 5)] ?? 0) >>> (pair & 31)) & 1) === 0) break
      count++
    }
    return count
  }
}
