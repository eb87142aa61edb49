import type { ElaborationContent } from './elaboration.ts'
import type { Deadline } from './search-deadline.ts'

/** As long as the longest sentence of an entry; a longer text is a log, not a keyword. */
const maxKeywordLength = 1024
/** A page of hits; more do not help a person who searches. */
const maxHits = 50
/** Reading the clock costs as much as searching an entry. */
const entriesPerCheck = 32

/** It divides Chinese, which writes no spaces between words, as well as English. */
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

interface Hit {
  readonly entry: ElaborationContent
  readonly rank: number
}

/** Finds entries by what they contain: a keyword, a phrase, or several words in any order, in either language. */
export class KeywordSearch {
  readonly #entries: readonly ElaborationContent[]
  #texts: readonly string[] | undefined

  constructor(entries: readonly ElaborationContent[]) {
    this.#entries = entries
  }

  /** The best match first; equal matches keep the order of the entries. */
  find(text: string, isWanted: (entry: ElaborationContent) => boolean, deadline: Deadline): ElaborationContent[] {
    const phrase = text.trim().toLowerCase()
    if (phrase === '' || phrase.length > maxKeywordLength) return []
    const words = wordsIn(phrase)
    const hits: Hit[] = []
    this.#texts ??= this.#entries.map(searchedText)
    for (const [index, entry] of this.#entries.entries()) {
      if (index % entriesPerCheck === 0) deadline.check()
      const searched = this.#texts[index] ?? ''
      if (!isWanted(entry) || !words.every((word) => searched.includes(word))) continue
      const occurrences = words.map((word) => findWord(searched, word))
      const whole = occurrences.filter((occurrence) => occurrence === 'whole').length
      const asPhrase = (words.length === 1 ? occurrences[0] : undefined) ?? findWord(searched, phrase)
      const isCode = phrase === entry.code || phrase === `${entry.category}.${entry.code}`.toLowerCase()
      hits.push({ entry, rank: rankOf(isCode, asPhrase, whole, searched.length) })
    }
    return best(hits)
  }
}

/** Each word once; a text without words is one. */
function wordsIn(phrase: string): string[] {
  const words = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(phrase)) if (isWordLike) words.add(segment)
  return words.size === 0 ? [phrase] : [...words]
}

/** An explanation with several patterns is listed once. */
function best(hits: Hit[]): ElaborationContent[] {
  const found = new Map<string, ElaborationContent>()
  for (const { entry } of hits.sort((a, b) => b.rank - a.rank)) {
    if (found.size === maxHits) break
    const key = JSON.stringify([entry.category, entry.code, entry.message_en, entry.message_cn])
    if (!found.has(key)) found.set(key, entry)
  }
  return [...found.values()]
}

type Occurrence = 'whole' | 'part' | 'absent'

/** Whether a word occurs as whole words of a text, at least as a part of them, or not at all. */
export function findWord(text: string, word: string): Occurrence {
  let found: Occurrence = 'absent'
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + word.length)) return 'whole'
    found = 'part'
  }
  return found
}

/** Not between two letters or digits; in Chinese, everywhere. */
const isBoundary = (text: string, at: number): boolean =>
  !isWordCharacter(text.charCodeAt(at - 1)) || !isWordCharacter(text.charCodeAt(at))

const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 0xdf && code <= 0x24f)

/** A code before a phrase, a phrase before separate words, whole words before parts, a short entry before a long one. */
function rankOf(isCode: boolean, phrase: Occurrence, wholeWords: number, length: number): number {
  const phraseRank = { whole: 2, part: 1, absent: 0 }[phrase]
  return (isCode ? 1e9 : 0) + phraseRank * 1e6 + wholeWords * 1e3 + 1e3 / (1e3 + length)
}

function searchedText({ category, code, regex, message_en, message_cn }: ElaborationContent): string {
  const pattern = regex ?? ''
  // people search for `wharf.json`, not for `wharf\.json`
  const unescaped = pattern.replaceAll(/\\(?=[^\w\s])/g, '')
  return [`${category}.${code}`, pattern, unescaped === pattern ? '' : unescaped, message_en ?? '', message_cn ?? '']
    .join('\n')
    .toLowerCase()
}
