import type { Line, Span } from './portable-text.ts'

/** In the unit of the vendor: bytes or characters of the request. */
export interface Costs {
  /** The cost of a line without its spans: the break, the bullet, an escape at its start. */
  readonly lineCost: number
  spanCost(span: Span): number
}

export interface Split {
  readonly costs: Costs
  readonly capacity: number
  readonly maxParts: number
  /** Ends the last part when the text exceeds all parts. */
  readonly shortened: Line
}

/** Splits lines into parts: at line breaks, and within a line only if it is longer than a part. */
export function splitLines(lines: readonly Line[], { costs, capacity, maxParts, shortened }: Split): Line[][] {
  const partCapacity = capacity - costOf(shortened, costs)
  const parts: Line[][] = []
  let part: Line[] = []
  let left = partCapacity
  for (const line of lines) {
    let rest = line
    while (rest.spans.length > 0 || part.length > 0) {
      const cost = costOf(rest, costs)
      if (cost <= left) {
        part.push(rest)
        left -= cost
        break
      }
      const [head, tail] = cost <= partCapacity ? [undefined, rest] : cutLine(rest, left, costs)
      if (head === undefined && part.length === 0) {
        // a span that fits into no part is omitted
        rest = { ...rest, spans: rest.spans.slice(1) }
        continue
      }
      if (head !== undefined) part.push(head)
      rest = tail
      if (parts.length === maxParts - 1) return [...parts, [...withoutGap(part), shortened]]
      if (part.length > 0) parts.push(withoutGap(part))
      part = []
      left = partCapacity
    }
  }
  return part.length > 0 || parts.length === 0 ? [...parts, withoutGap(part)] : parts
}

const costOf = (line: Line, costs: Costs): number =>
  line.spans.reduce((sum, span) => sum + costs.spanCost(span), costs.lineCost)

const withoutGap = (part: Line[]): Line[] => (part.at(-1)?.spans.length === 0 ? part.slice(0, -1) : part)

function cutLine(line: Line, capacity: number, costs: Costs): [head: Line | undefined, tail: Line] {
  const kept: Span[] = []
  let left = capacity - costs.lineCost
  for (const [index, span] of line.spans.entries()) {
    const cost = costs.spanCost(span)
    if (cost <= left) {
      kept.push(span)
      left -= cost
      continue
    }
    const [piece, remains] = cutSpan(span, left, costs)
    if (piece !== undefined) kept.push(piece)
    const head = kept.length > 0 ? { ...line, spans: kept } : undefined
    return [head, { bullet: line.bullet && head === undefined, spans: [remains, ...line.spans.slice(index + 1)] }]
  }
  return [line, { bullet: false, spans: [] }]
}

/** Cuts text between characters; a link or a mention is never cut. */
function cutSpan(span: Span, capacity: number, costs: Costs): [piece: Span | undefined, remains: Span] {
  if (span.kind !== 'text') return [undefined, span]
  const characters = Array.from(span.text)
  let fits = 0
  let tooMany = characters.length
  while (fits + 1 < tooMany) {
    const middle = (fits + tooMany) >> 1
    if (costs.spanCost({ ...span, text: characters.slice(0, middle).join('') }) <= capacity) fits = middle
    else tooMany = middle
  }
  if (fits === 0) return [undefined, span]
  return [
    { ...span, text: characters.slice(0, fits).join('') },
    { ...span, text: characters.slice(fits).join('') },
  ]
}
