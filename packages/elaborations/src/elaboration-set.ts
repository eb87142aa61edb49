import type { Elaboration, ElaborationContent } from './elaboration.ts'

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** It explains the code itself, not one of the texts that have it. */
const isAboutCode = ({ code, regex }: Elaboration): boolean => regex === null || regex.endsWith(`\\.${code}`)
/** A category is compared without case, then the code as a number. */
const byCode = (a: Elaboration, b: Elaboration): number =>
  byText(a.category.toLowerCase(), b.category.toLowerCase()) ||
  Number(a.code) - Number(b.code) ||
  Number(isAboutCode(b)) - Number(isAboutCode(a))

export const contentOf = ({ example: _, ...content }: Elaboration): ElaborationContent => content

/** All elaborations in use, by category and code. Immutable; a reload creates another one. */
export class ElaborationSet {
  /** In the order of precedence: the first entry wins where nothing else decides. */
  readonly entries: readonly Elaboration[]
  /** In the order of categories and codes. */
  readonly all: readonly ElaborationContent[]
  readonly categories: readonly { readonly category: string; readonly num: number }[]
  readonly #byCategory: ReadonlyMap<string, readonly ElaborationContent[]>
  readonly #byCode: ReadonlyMap<string, readonly ElaborationContent[]>

  constructor(entries: readonly Elaboration[]) {
    this.entries = entries
    this.all = entries.toSorted(byCode).map(contentOf)
    this.#byCategory = Map.groupBy(this.all, ({ category }) => category.toLowerCase())
    this.#byCode = Map.groupBy(this.all, ({ category, code }) => `${category}.${code}`.toLowerCase())
    this.categories = [...this.#byCategory.values()].map((list) => ({
      // of several spellings, the one with capitals
      category: list.map(({ category }) => category).sort(byText)[0] ?? '',
      num: list.length,
    }))
  }

  ofCategory(category: string): readonly ElaborationContent[] {
    return this.#byCategory.get(category.toLowerCase()) ?? []
  }

  ofCode(category: string, code: string): readonly ElaborationContent[] {
    return this.#byCode.get(`${category}.${code}`.toLowerCase()) ?? []
  }
}
