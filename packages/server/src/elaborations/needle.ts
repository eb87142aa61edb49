/**
 * A text to find in others, by Knuth, Morris and Pratt: linear in the other text whatever both contain, which
 * `String.includes` is not.
 */
export class Needle {
  readonly #text: string
  /** For each length of a partial match, the length of the longest one to go on with. */
  readonly #shorter: Uint16Array

  constructor(text: string) {
    this.#text = text
    this.#shorter = new Uint16Array(text.length + 1)
    for (let at = 1, matched = 0; at < text.length; at++) {
      matched = this.#extended(matched, text.charCodeAt(at))
      this.#shorter[at + 1] = matched
    }
  }

  /** Whether it occurs as whole words, at least as a part of words, or not at all. */
  find(text: string): 'whole' | 'part' | 'absent' {
    const { length } = this.#text
    let isFound = false
    for (let at = 0, matched = 0; at < text.length; at++) {
      if (matched === length) matched = this.#shorter[matched] ?? 0
      matched = this.#extended(matched, text.charCodeAt(at))
      if (matched !== length) continue
      isFound = true
      if (isBoundary(text, at - length + 1) && isBoundary(text, at + 1)) return 'whole'
    }
    return isFound ? 'part' : 'absent'
  }

  #extended(matched: number, code: number): number {
    let next = matched
    while (next > 0 && this.#text.charCodeAt(next) !== code) next = this.#shorter[next] ?? 0
    return this.#text.charCodeAt(next) === code ? next + 1 : 0
  }
}

/** Between two letters or digits there is none; Chinese has one everywhere. */
const isBoundary = (text: string, at: number): boolean =>
  !isWordCharacter(text.charCodeAt(at - 1)) || !isWordCharacter(text.charCodeAt(at))

const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 0xdf && code <= 0x24f)
