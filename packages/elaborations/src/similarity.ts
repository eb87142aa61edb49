/** Jaro and Winkler: up to four equal characters at the beginning count a tenth each of what is missing. */
const maxPrefix = 4
const prefixWeight = 0.1

const winkler = (jaro: number, prefix: number): number => jaro + prefix * prefixWeight * (1 - jaro)

/** How many characters both texts begin with, up to four. */
export function commonPrefix(a: string, b: string): number {
  let prefix = 0
  while (prefix < maxPrefix && prefix < a.length && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++
  return prefix
}

/** How many characters must match for this similarity, whatever their order. */
export function neededMatches(a: number, b: number, prefix: number, similarity: number): number {
  const bonus = prefix * prefixWeight
  const jaro = (similarity - bonus) / (1 - bonus)
  // rounding must never rule out what is equal to the limit
  return Math.ceil(((3 * jaro - 1) * a * b) / (a + b) - 1e-6)
}

/**
 * The similarity of one text to many: 1 for equal ones. Texts are compared by UTF-16 units, upper and lower case as
 * they stand.
 */
export class Comparison {
  readonly #text: string
  /** Where each character stands in the text, ascending. */
  readonly #places = new Map<number, number[]>()
  /** Stamps instead of flags: nothing has to be cleared between two comparisons. */
  readonly #takenIn: Uint32Array
  #round = 0

  constructor(text: string) {
    this.#text = text
    this.#takenIn = new Uint32Array(text.length)
    for (let at = 0; at < text.length; at++) {
      const char = text.charCodeAt(at)
      const places = this.#places.get(char)
      if (places) places.push(at)
      else this.#places.set(char, [at])
    }
  }

  /** 0 as soon as fewer than `needed` characters can match. */
  similarity(other: string, needed = 0): number {
    const text = this.#text
    if (text === other) return 1
    const reach = Math.max(Math.floor(Math.max(text.length, other.length) / 2) - 1, 0)
    const matched = this.#match(other, reach, needed)
    const matches = matched.length
    if (matches === 0 || matches < needed) return 0
    const swapped = this.#countSwapped(matched)
    const jaro = (matches / other.length + matches / text.length + (matches - swapped / 2) / matches) / 3
    return winkler(jaro, commonPrefix(text, other))
  }

  /** The characters of the other text that have a partner within reach, in order; the first free partner is taken. */
  #match(other: string, reach: number, needed: number): number[] {
    this.#round++
    const matched: number[] = []
    // the places before `from` are taken or out of reach for good, since the window only moves on
    const from = new Map<number, number>()
    for (let at = 0; at < other.length; at++) {
      if (matched.length + other.length - at < needed) return []
      const char = other.charCodeAt(at)
      const places = this.#places.get(char)
      if (places === undefined) continue
      let next = from.get(char) ?? 0
      while (next < places.length && (places[next] ?? 0) < at - reach) next++
      const place = places[next]
      if (place !== undefined && place <= at + reach) {
        matched.push(char)
        this.#takenIn[place] = this.#round
        next++
      }
      from.set(char, next)
    }
    return matched
  }

  #countSwapped(matched: readonly number[]): number {
    let swapped = 0
    let index = 0
    for (let at = 0; index < matched.length; at++) {
      if (this.#takenIn[at] !== this.#round) continue
      if (this.#text.charCodeAt(at) !== matched[index]) swapped++
      index++
    }
    return swapped
  }
}

export const similarityOf = (a: string, b: string): number => new Comparison(b).similarity(a)
