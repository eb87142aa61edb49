/** The arithmetic of charts: what is drawn where, as shares of the plot from 0 to 1. */

/** A value at a time; null where it is unknown. */
export interface Point {
  readonly time: number
  readonly value: number | null
}

export interface Domain {
  readonly from: number
  readonly to: number
}

/** The upper end of an axis, and the distance of its marks. */
export interface Scale {
  readonly max: number
  readonly step: number
}

const roundSteps = [1, 2, 5, 10]

/** The smallest scale with round marks that contains the value. `base` is 1024 for bytes. */
export function scaleFor(largest: number, { base = 10, marks = 4 }: { base?: 10 | 1024; marks?: number } = {}): Scale {
  if (!(largest > 0)) return { max: 1, step: 1 }
  const unit = base ** Math.floor(Math.log(largest) / Math.log(base))
  const least = largest / unit / marks
  const power = 10 ** Math.floor(Math.log10(least))
  const round = roundSteps.find((one) => one * power >= least * (1 - 1e-9)) ?? 10
  const step = round * power * unit
  return { max: Math.ceil(largest / step - 1e-9) * step, step }
}

export const marksOf = ({ max, step }: Scale): number[] =>
  Array.from({ length: Math.round(max / step) + 1 }, (_, index) => index * step)

export const shareOf = (time: number, { from, to }: Domain): number => (time - from) / (to - from)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const timeSteps = [
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  day,
]

/** Round times of the local clock, at most so many. `offsetMs` is what the local clock is ahead of UTC. */
export function timeMarks({ from, to }: Domain, { count, offsetMs }: { count: number; offsetMs: number }): number[] {
  const least = (to - from) / count
  const step = timeSteps.find((one) => one >= least) ?? Math.ceil(least / day) * day
  const first = Math.ceil((from + offsetMs) / step) * step - offsetMs
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step)
}

/** Lines of neighbouring points; a longer pause or an unknown value starts another. */
export function segmentsOf(points: readonly Point[], longestPauseMs: number): { time: number; value: number }[][] {
  const segments: { time: number; value: number }[][] = []
  let last: number | undefined
  for (const { time, value } of points) {
    if (value === null) last = undefined
    else {
      if (last === undefined || time - last > longestPauseMs) segments.push([])
      segments.at(-1)?.push({ time, value })
      last = time
    }
  }
  return segments
}

/** The point that is nearest to a place in the plot. */
export function nearestIndex(times: readonly number[], share: number, { from, to }: Domain): number {
  const time = from + share * (to - from)
  let nearest = 0
  for (const [index, candidate] of times.entries())
    if (Math.abs(candidate - time) < Math.abs((times[nearest] ?? candidate) - time)) nearest = index
  return nearest
}
