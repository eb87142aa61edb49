import { type Elaboration, type ElaborationContent, minSimilarity } from './elaboration.ts'
import { contentOf, type ElaborationSet } from './elaboration-set.ts'
import { KeywordSearch } from './keyword-search.ts'
import { PatternIndex } from './pattern-index.ts'
import { fillPlaceholders } from './placeholders.ts'
import { type Deadline, noDeadline } from './search-deadline.ts'
import { similarityOf } from './similarity.ts'

/** Reading the clock costs as much as comparing a sentence of usual length. */
const sentencesPerCheck = 8

/** Finds the elaborations of a text. */
export class TextSearch {
  readonly #byPattern: readonly Elaboration[]
  readonly #sentences: readonly Elaboration[]
  readonly #patterns: PatternIndex
  readonly #keywords: KeywordSearch

  constructor(set: ElaborationSet) {
    this.#byPattern = set.entries
      .filter(({ method }) => method === 'regex')
      .toSorted((a, b) => (b.regex?.length ?? 0) - (a.regex?.length ?? 0))
    this.#sentences = set.entries.filter(({ method }) => method === 'distance')
    this.#patterns = new PatternIndex(this.#byPattern.map(({ regex }) => regex ?? ''))
    this.#keywords = new KeywordSearch(set.all)
  }

  /** The one entry that explains a text: the longest pattern that matches, else the most similar sentence. */
  explain(text: string, category?: string, deadline = noDeadline): ElaborationContent | undefined {
    const isWanted = isOfCategory(category)
    const matching = this.#patterns.first(text, deadline, (index) => isWanted(this.#byPattern[index]))
    if (matching === undefined) return this.#mostSimilar(text, isWanted, deadline)
    const entry = this.#byPattern[matching]
    return entry && fillPlaceholders(contentOf(entry), () => this.#patterns.groups(matching, text))
  }

  /** The entry that explains a text, else those that contain all its words. */
  find(text: string, category?: string, deadline = noDeadline): readonly ElaborationContent[] {
    const explained = this.explain(text, category, deadline)
    if (explained !== undefined) return [explained]
    const found = this.#keywords.find(text, isOfCategory(category), deadline)
    // method and distance describe how an entry explained the text, and none did
    return found.map((entry) => ({ ...entry, method: null }))
  }

  #mostSimilar(text: string, isWanted: (entry: Elaboration) => boolean, deadline: Deadline) {
    let best: { readonly entry: Elaboration; readonly similarity: number } | undefined
    for (const [index, entry] of this.#sentences.entries()) {
      if (index % sentencesPerCheck === 0) deadline.check()
      if (!isWanted(entry)) continue
      const similarity = similarityOf(entry.regex ?? '', text, best?.similarity ?? minSimilarity)
      if (similarity >= minSimilarity && similarity > (best?.similarity ?? 0)) best = { entry, similarity }
    }
    return best && { ...contentOf(best.entry), distance: best.similarity }
  }
}

function isOfCategory(category: string | undefined) {
  const wanted = category?.toLowerCase()
  return (entry: { readonly category: string } | undefined): boolean =>
    wanted === undefined || entry?.category.toLowerCase() === wanted
}
