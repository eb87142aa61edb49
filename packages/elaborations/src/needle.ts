import { type Fuel, scanFuel } from './fuel.ts'

/**
 * A text to find in others, by Knuth, Morris and Pratt: linear in the other text whatever both contain, which
 * `String.includes` is not.
 */
export class Needle {
  readonly #codes: Uint16Array
  /** For each length of a partial match, the length of the longest one to continue with. */
  readonly #shorter: Uint16Array

  constructor(text: string) {
    const codes = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    const shorter = new Uint16Array(text.length + 1)
    for (let at = 1, matched = 0; at < text.length; at++) {
      while (matched > 0 && codes[matched] !== codes[at]) matched = shorter[matched] as number
      if (codes[matched] === codes[at]) matched++
      shorter[at + 1] = matched
    }
    this.#codes = codes
    this.#shorter = shorter
  }

  /** Whether it occurs as whole words, at least as a part of words, or not at all. Throws OutOfFuel. */
  find(text: string, fuel: Fuel): 'whole' | 'part' | 'absent' {
    const codes = this.#codes
    const shorter = this.#shorter
    const { length } = codes
    let isFound = false
    for (let at = 0, matched = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      while (matched > 0 && codes[matched] !== code) matched = shorter[matched] as number
      if (codes[matched] === code) matched++
      if (matched < length) continue
      if (isBoundary(text, at - length + 1) && isBoundary(text, at + 1)) {
        fuel.spend(at * scanFuel)
        return 'whole'
      }
      isFound = true
      matched = shorter[matched] as number
    }
    fuel.spend(text.length * scanFuel)
    return isFound ? 'part' : 'absent'
  }
}

/** Between two letters or digits there is none; Chinese has one everywhere. */
const isBoundary = (text: string, at: number): boolean =>
  !isWordCharacter(text.charCodeAt(at - 1)) || !isWordCharacter(text.charCodeAt(at))

const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 0xdf && code <= 0x24f)
