import { Fuel } from './fuel.ts'
import { GramIndex } from './gram-index.ts'
import { Pattern } from './pattern.ts'

/** Instructions and places of automata that are kept; some 100 MiB. Beyond, all are let go and made anew when needed. */
const maxKept = 1_000_000

/** Patterns in an order, and the first of them that matches a text. */
export class PatternIndex {
  readonly #sources: readonly string[]
  readonly #grams: GramIndex
  readonly #patterns = new Map<number, Pattern>()
  #kept = 0

  constructor(sources: readonly string[]) {
    this.#sources = sources
    this.#grams = new GramIndex(sources)
  }

  /** Throws OutOfFuel. */
  first(text: string, fuel: Fuel, isWanted: (index: number) => boolean): number | undefined {
    for (const index of this.#grams.candidates(text, fuel, isWanted))
      if (this.#pattern(index, fuel).test(text, fuel)) return index
    return undefined
  }

  groups(index: number, text: string): Readonly<Record<string, string | null>> {
    return this.#pattern(index, new Fuel()).groups(text)
  }

  #pattern(index: number, fuel: Fuel): Pattern {
    const known = this.#patterns.get(index)
    if (known !== undefined) return known
    if (this.#kept > maxKept) {
      this.#patterns.clear()
      this.#kept = 0
    }
    const made = new Pattern(this.#sources[index] ?? '', fuel, (size) => {
      this.#kept += size
    })
    this.#patterns.set(index, made)
    return made
  }
}
