import type { LogLine } from './log-pages.ts'

export interface SearchPart {
  readonly lines?: readonly LogLine[]
  readonly lastNumber?: number
  readonly nextAfter?: number | null
}

export interface Matches {
  /** The numbers of the lines, ascending. */
  readonly numbers: readonly number[]
  readonly isSearching: boolean
  /** There may be more lines with the text than these. */
  readonly isLimited: boolean
}

export const noMatches: Matches = { numbers: [], isSearching: false, isLimited: false }

/** More matches than anybody visits one by one. */
export const maxMatches = 10_000

interface Search {
  /** The matching lines of the next part of the log. */
  load(after: number): Promise<SearchPart>
  /** Resolves when the log is longer than this. */
  untilLonger(count: number): Promise<void>
  onMatches(matches: Matches): void
  readonly signal: AbortSignal
}

/** Searches a log part by part, then the lines that are written later, until the signal is aborted. */
export async function searchLog({ load, untilLonger, onMatches, signal }: Search): Promise<void> {
  let numbers: readonly number[] = []
  let after = 0
  onMatches({ ...noMatches, isSearching: true })
  while (!signal.aborted) {
    const { lines = [], lastNumber = 0, nextAfter = null } = await load(after)
    if (signal.aborted) return
    numbers = [...numbers, ...lines.map(({ number }) => number)].slice(0, maxMatches)
    const isLimited = numbers.length === maxMatches
    onMatches({ numbers, isSearching: nextAfter !== null && !isLimited, isLimited })
    if (isLimited) return
    after = nextAfter ?? lastNumber
    if (nextAfter === null) await untilLonger(after)
  }
}

interface ShownText {
  /** Numbers of lines that are not shown. */
  readonly hidden: readonly number[]
  /** Lines that are shown with another text. */
  readonly titles: ReadonlyMap<number, string>
}

/** Of the lines that contain a text on the server, and of those with another text here, the ones that show it. */
export function shownMatches(numbers: readonly number[], text: string, { hidden, titles }: ShownText): number[] {
  const searched = text.toLowerCase()
  const titled = [...titles].filter(([, title]) => title.toLowerCase().includes(searched)).map(([number]) => number)
  const others = numbers.filter((number) => !hidden.includes(number) && !titles.has(number))
  return titled.length === 0 ? others : [...others, ...titled].sort((a, b) => a - b)
}

/** The position after or before one, around the ends. */
export const nextPosition = (position: number, count: number, direction: 1 | -1): number =>
  count === 0 ? 0 : (position + direction + count) % count
