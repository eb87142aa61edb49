import type { Span } from './styled-spans.ts'

export interface MatchSpan extends Span {
  readonly isMatch: boolean
}

/** More of them in one line are not marked. */
const maxMatches = 200

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Marks where a text occurs in a line, in upper or lower case, also across the colours of the line. */
export function matchSpans(spans: readonly Span[], text: string): MatchSpan[] {
  if (text === '') return spans.map((span) => ({ ...span, isMatch: false }))
  const line = spans.map((span) => span.text).join('')
  const found = [...line.matchAll(new RegExp(escapePattern(text), 'giu'))].slice(0, maxMatches)
  const starts = found.map(({ index }) => index)
  const ends = found.map(({ index, 0: { length } }) => index + length)
  const cuts = [...new Set([...starts, ...ends])].sort((a, b) => a - b)
  const isMatch = (at: number): boolean => {
    const before = starts.findLastIndex((from) => from <= at)
    return before >= 0 && at < (ends[before] ?? 0)
  }
  let start = 0
  return spans.flatMap((span) => {
    const end = start + span.text.length
    const edges = [start, ...cuts.filter((cut) => cut > start && cut < end), end]
    const parts = edges
      .slice(1)
      .map((to, index) => ({ from: edges[index] ?? 0, to }))
      .map(({ from, to }) => ({ ...span, text: line.slice(from, to), isMatch: isMatch(from) }))
    start = end
    return parts
  })
}
