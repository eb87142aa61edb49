import type { Elaboration, ElaborationContent } from './elaboration.ts'
import { Fuel } from './fuel.ts'
import { KeywordIndex } from './keyword-index.ts'
import { PatternIndex } from './pattern-index.ts'
import { filled } from './placeholders.ts'
import { SentenceIndex } from './sentence-index.ts'

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** One category, however it is written; then the number. */
const byCode = (a: Elaboration, b: Elaboration): number =>
  byText(a.category.toLowerCase(), b.category.toLowerCase()) || Number(a.code) - Number(b.code)

const shown = ({ example: _, ...content }: Elaboration): ElaborationContent => content

/** All elaborations that hold at one time. It never changes; a reload makes another one. */
export class ElaborationSet {
  readonly all: readonly ElaborationContent[]
  readonly categories: readonly { readonly category: string; readonly num: number }[]
  readonly #byCategory: ReadonlyMap<string, readonly ElaborationContent[]>
  readonly #byCode: ReadonlyMap<string, readonly ElaborationContent[]>
  readonly #byPattern: readonly Elaboration[]
  readonly #bySentence: readonly Elaboration[]
  readonly #patterns: PatternIndex
  readonly #sentences: SentenceIndex
  readonly #keywords: KeywordIndex

  /** What stands first wins where nothing else decides. */
  constructor(entries: readonly Elaboration[]) {
    const sorted = entries.toSorted(byCode)
    this.all = sorted.map(shown)
    this.#byCategory = Map.groupBy(this.all, ({ category }) => category.toLowerCase())
    this.#byCode = Map.groupBy(this.all, ({ category, code }) => `${category}.${code}`.toLowerCase())
    this.categories = [...this.#byCategory.values()].map((list) => ({
      // of several ways to write it the one with capitals
      category: list.map(({ category }) => category).sort(byText)[0] ?? '',
      num: list.length,
    }))
    this.#byPattern = entries
      .filter(({ method }) => method === 'regex')
      .toSorted((a, b) => (b.regex?.length ?? 0) - (a.regex?.length ?? 0))
    this.#bySentence = entries.filter(({ method }) => method === 'distance')
    this.#patterns = new PatternIndex(this.#byPattern.map(({ regex }) => regex ?? ''))
    this.#keywords = new KeywordIndex(this.all)
    this.#sentences = new SentenceIndex(this.#bySentence.map(({ regex }) => regex ?? ''))
  }

  ofCategory(category: string): readonly ElaborationContent[] {
    return this.#byCategory.get(category.toLowerCase()) ?? []
  }

  ofCode(category: string, code: string): readonly ElaborationContent[] {
    return this.#byCode.get(`${category}.${code}`.toLowerCase()) ?? []
  }

  /** The one entry that explains a text: the longest pattern that matches, else the sentence most like it. */
  explain(text: string, category?: string, fuel = new Fuel()): ElaborationContent | undefined {
    const narrowed = category?.toLowerCase()
    const wanted = (entries: readonly Elaboration[]) => (index: number) =>
      narrowed === undefined || entries[index]?.category.toLowerCase() === narrowed
    const matching = this.#patterns.first(text, fuel, wanted(this.#byPattern))
    if (matching !== undefined) {
      const entry = this.#byPattern[matching]
      return entry && filled(shown(entry), () => this.#patterns.groups(matching, text))
    }
    const likeness = this.#sentences.nearest(text, fuel, wanted(this.#bySentence))
    const entry = likeness && this.#bySentence[likeness.index]
    return entry && { ...shown(entry), distance: likeness.similarity }
  }

  /** The entries that explain a text, or contain it: the one that explains it, else those that contain all its words. */
  find(text: string, category?: string, fuel = new Fuel()): readonly ElaborationContent[] {
    const explained = this.explain(text, category, fuel)
    if (explained !== undefined) return [explained]
    const narrowed = category?.toLowerCase()
    const isWanted = ({ category: own }: ElaborationContent) => narrowed === undefined || own.toLowerCase() === narrowed
    // neither its pattern nor its likeness matched
    return this.#keywords.find(text, fuel, isWanted).map((entry) => ({ ...entry, method: null }))
  }
}
