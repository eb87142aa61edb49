/** As long as the longest sentence of an entry; a longer text is a log, not a keyword. */
const maxKeywordLength = 1024

/** It divides Chinese, which writes no spaces between words, as well as English. */
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

export interface Keywords {
  readonly phrase: string
  /** Each once, the longest first: it rules out most entries. */
  readonly words: readonly string[]
}

/** What to search for in lower case; undefined when the text is no keyword. */
export function keywordsIn(text: string): Keywords | undefined {
  const phrase = text.trim().toLowerCase()
  if (phrase === '' || phrase.length > maxKeywordLength) return undefined
  const words = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(phrase)) if (isWordLike) words.add(segment)
  return { phrase, words: words.size === 0 ? [phrase] : [...words].sort((a, b) => b.length - a.length) }
}
