import type { RE2JS } from 're2js'
import { compilePattern, groupsIn } from './pattern.ts'
import { lowerCase, requiredLiterals } from './required-literals.ts'
import type { Deadline } from './search-deadline.ts'

/** Compiled patterns in memory; beyond it all are dropped and compiled again when needed. */
const maxCompiled = 2000

/** One alternative of a pattern, and the trigrams that every match of it contains, the rarest first. */
interface Alternative {
  readonly pattern: number
  readonly trigrams: readonly number[]
}

/** Three characters as one number; two triples that share a number only add a candidate. */
const trigramAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 0x3ff) << 20) | ((text.charCodeAt(at + 1) & 0x3ff) << 10) | (text.charCodeAt(at + 2) & 0x3ff)

function trigramsOf(texts: readonly string[]): Set<number> {
  const trigrams = new Set<number>()
  for (const text of texts) for (let at = 0; at + 2 < text.length; at++) trigrams.add(trigramAt(text, at))
  return trigrams
}

/** Whether every match of a pattern contains three known characters in a row; otherwise each text must be tried. */
export const hasTrigram = (pattern: string): boolean =>
  requiredLiterals(pattern).every((texts) => texts.some((text) => text.length >= 3))

/**
 * Patterns in an order, and the first of them that matches a text. An inverted index of trigrams leaves a handful of
 * thousands to try, and only these are compiled.
 */
export class PatternIndex {
  readonly #sources: readonly string[]
  readonly #byTrigram = new Map<number, Alternative[]>()
  /** Patterns that can match without three known characters in a row. */
  readonly #always: ReadonlySet<number>
  readonly #compiled = new Map<number, RE2JS>()

  constructor(sources: readonly string[]) {
    this.#sources = sources
    const alternatives = sources.flatMap((source, pattern) =>
      requiredLiterals(source).map((texts) => ({ pattern, trigrams: [...trigramsOf(texts)] })),
    )
    this.#always = new Set(alternatives.filter(({ trigrams }) => trigrams.length === 0).map(({ pattern }) => pattern))
    const uses = new Map<number, number>()
    for (const { trigrams } of alternatives)
      for (const trigram of trigrams) uses.set(trigram, (uses.get(trigram) ?? 0) + 1)
    for (const { pattern, trigrams } of alternatives) {
      if (this.#always.has(pattern)) continue
      trigrams.sort((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0))
      const [rarest = 0] = trigrams
      const filed = this.#byTrigram.get(rarest)
      if (filed) filed.push({ pattern, trigrams })
      else this.#byTrigram.set(rarest, [{ pattern, trigrams }])
    }
  }

  first(text: string, deadline: Deadline, isWanted: (index: number) => boolean): number | undefined {
    for (const index of this.candidates(text, deadline)) {
      if (!isWanted(index)) continue
      deadline.check()
      if (this.#pattern(index).test(text)) return index
    }
    return undefined
  }

  groups(index: number, text: string): Readonly<Record<string, string | null>> {
    return groupsIn(this.#pattern(index), text)
  }

  /** Every pattern that can match the text, and some that cannot, in their order. */
  candidates(text: string, deadline: Deadline): number[] {
    const textTrigrams = trigramsOf([lowerCase(text)])
    const found = new Set(this.#always)
    for (const trigram of textTrigrams) {
      const alternatives = this.#byTrigram.get(trigram)
      if (alternatives === undefined) continue
      deadline.check()
      for (const { pattern, trigrams } of alternatives)
        if (trigrams.every((required) => textTrigrams.has(required))) found.add(pattern)
    }
    return [...found].sort((a, b) => a - b)
  }

  #pattern(index: number): RE2JS {
    const known = this.#compiled.get(index)
    if (known !== undefined) return known
    if (this.#compiled.size >= maxCompiled) this.#compiled.clear()
    const compiled = compilePattern(this.#sources[index] ?? '')
    this.#compiled.set(index, compiled)
    return compiled
  }
}
