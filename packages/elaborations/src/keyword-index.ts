import type { ElaborationContent } from './elaboration.ts'
import type { Fuel } from './fuel.ts'
import { keywordsIn } from './keywords.ts'
import { Needle } from './needle.ts'
import { PairSignatures } from './pair-signatures.ts'

/** A page of hits; more are no help to a person who searches. */
const maxHits = 50
/** Ranking one hit among the others. */
const hitFuel = 32
/** Ruling one entry out by its signature, pair by pair. */
const entryFuel = 4
const pairFuel = 0.5

interface Hit {
  readonly index: number
  readonly rank: number
}

/** Finds entries by what they contain: a keyword, a phrase, or several words in any order. */
export class KeywordIndex {
  readonly #entries: readonly ElaborationContent[]
  #searched: { readonly texts: readonly string[]; readonly signatures: PairSignatures } | undefined

  constructor(entries: readonly ElaborationContent[]) {
    this.#entries = entries
  }

  /** Best match first; equal matches keep the order of the entries. Throws OutOfFuel. */
  find(text: string, fuel: Fuel, isWanted: (entry: ElaborationContent) => boolean): ElaborationContent[] {
    const keywords = keywordsIn(text)
    if (keywords === undefined) return []
    const phrase = new Needle(keywords.phrase)
    const words = keywords.words.map((word) => new Needle(word))
    const pairs = PairSignatures.pairsOf(keywords.words)
    const { texts, signatures } = this.#made()
    const hits: Hit[] = []
    for (const [index, entry] of this.#entries.entries()) {
      if (!isWanted(entry)) continue
      const present = signatures.countPresent(index, pairs)
      fuel.spend(entryFuel + present * pairFuel)
      if (present < pairs.length) continue
      const searched = texts[index] ?? ''
      const found = countWhole(words, searched, fuel)
      if (found === undefined) continue
      fuel.spend(hitFuel)
      const asPhrase = words.length === 1 ? (found === 1 ? 'whole' : 'part') : phrase.find(searched, fuel)
      hits.push({ index, rank: rankOf(isCode(entry, keywords.phrase), asPhrase, found, searched.length) })
    }
    return this.#best(hits)
  }

  /** Made when it is first needed: most lookups end before. */
  #made() {
    if (this.#searched === undefined) {
      const texts = this.#entries.map(searchedText)
      this.#searched = { texts, signatures: new PairSignatures(texts) }
    }
    return this.#searched
  }

  /** An explanation with several patterns is listed once. */
  #best(hits: Hit[]): ElaborationContent[] {
    const found = new Map<string, ElaborationContent>()
    for (const { index } of hits.sort((a, b) => b.rank - a.rank || a.index - b.index)) {
      const entry = this.#entries[index]
      if (entry === undefined || found.size === maxHits) break
      const key = JSON.stringify([entry.category, entry.code, entry.message_en, entry.message_cn])
      if (!found.has(key)) found.set(key, entry)
    }
    return [...found.values()]
  }
}

/** How many of the words are whole words of the text; undefined when one of them is not in it. */
function countWhole(words: readonly Needle[], text: string, fuel: Fuel): number | undefined {
  let whole = 0
  for (const word of words) {
    const found = word.find(text, fuel)
    if (found === 'absent') return undefined
    if (found === 'whole') whole++
  }
  return whole
}

const isCode = ({ category, code }: ElaborationContent, phrase: string): boolean =>
  phrase === code || phrase === `${category}.${code}`.toLowerCase()

/** A code before a phrase, a phrase before scattered words, whole words before parts, a short entry before a long one. */
function rankOf(isOfCode: boolean, phrase: 'whole' | 'part' | 'absent', wholeWords: number, length: number): number {
  const phraseRank = phrase === 'whole' ? 2 : phrase === 'part' ? 1 : 0
  return (isOfCode ? 1e9 : 0) + phraseRank * 1e6 + wholeWords * 1e3 + 1e3 / (1e3 + length)
}

function searchedText({ category, code, regex, message_en, message_cn }: ElaborationContent): string {
  const pattern = regex ?? ''
  // people search for `wharf.json`, not for `wharf\.json`
  const unescaped = pattern.replaceAll(/\\(?=[^\w\s])/g, '')
  return [`${category}.${code}`, pattern, unescaped === pattern ? '' : unescaped, message_en ?? '', message_cn ?? '']
    .join('\n')
    .toLowerCase()
}
