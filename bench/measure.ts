/** One figure: what Wharf reached, what it is compared with in the same run, and their ratio. */
export interface Figure {
  name: string
  unit: string
  /** Median over the rounds. */
  value: number
  peer: string
  /** Median over the rounds. */
  peerValue: number
  /** Of the two medians. */
  ratio: number
  /** Lowest and highest ratio of the rounds; undefined where there is one only, or no two belong together. */
  spread: [number, number] | undefined
  /** The number of rounds and their order. */
  rounds: string
  aim: string
  /** Undefined without a target. */
  met: boolean | undefined
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** One alone has none. */
const spreadOf = (ratios: readonly number[]): Figure['spread'] =>
  ratios.length > 1 ? [Math.min(...ratios), Math.max(...ratios)] : undefined

/** Compares two lists of interleaved measurements. */
export function compareRounds(mine: readonly number[], theirs: readonly number[]) {
  const ratios = mine.map((value, index) => value / (theirs[index] ?? Number.NaN))
  const [value, peerValue] = [median(mine), median(theirs)]
  const rounds = mine.length === 1 ? '1' : `${mine.length} interleaved`
  return { value, peerValue, ratio: value / peerValue, spread: spreadOf(ratios), rounds }
}

export const shortRoundsPerRound = 7

/** Short measurements need more rounds: for seconds at a time, the machine is slower by a third. */
export const countShortRounds = (rounds: number): number => shortRoundsPerRound * rounds

interface Comparison {
  readonly name: string
  readonly unit: string
  readonly peer: string
  readonly aim?: number
}

type Measure = () => Promise<number>

/** Interleaved, so that a busy moment of the machine affects both. */
export const compare = (about: Comparison, rounds: number, ours: Measure, peer: Measure): Promise<Figure> =>
  comparePairs(about, [{ rounds, open: async () => [ours, peer] }])

/** The same of several pairs, such as of new processes: two with the same code are not equally fast. */
export async function comparePairs(
  about: Comparison,
  pairs: readonly { readonly rounds: number; open(): Promise<readonly [ours: Measure, peer: Measure]> }[],
): Promise<Figure> {
  const mine: number[] = []
  const theirs: number[] = []
  for (const { rounds, open } of pairs) {
    const [ours, peer] = await open()
    for (let round = 0; round < rounds; round++) {
      if (round % 2 === 0) {
        mine.push(await ours())
        theirs.push(await peer())
      } else {
        theirs.push(await peer())
        mine.push(await ours())
      }
    }
  }
  const both = compareRounds(mine, theirs)
  return {
    ...about,
    ...both,
    aim: about.aim === undefined ? 'for comparison' : `ratio ≥ ${about.aim}`,
    met: about.aim === undefined ? undefined : both.ratio >= about.aim,
  }
}

export interface Aim {
  readonly name: string
  readonly unit: string
  readonly aim: number
  readonly atMost?: boolean
}

/** A percent sign follows its number without a space. */
export const withUnit = (number: string, unit: string): string => (unit === '%' ? `${number}%` : `${number} ${unit}`)

/** A figure with a fixed aim instead of a peer. */
export async function reach(about: Aim, rounds: number, ours: () => Promise<number>): Promise<Figure> {
  const mine: number[] = []
  for (let round = 0; round < rounds; round++) mine.push(await ours())
  return reached(about, mine)
}

/** The same of what was measured already. */
export function reached({ name, unit, aim, atMost = false }: Aim, mine: readonly number[]): Figure {
  const value = median(mine)
  return {
    name,
    unit,
    value,
    peer: 'the aim itself',
    peerValue: aim,
    ratio: value / aim,
    spread: spreadOf(mine.map((one) => one / aim)),
    rounds: String(mine.length),
    aim: `${atMost ? '≤' : '≥'} ${withUnit(String(aim), unit)}`,
    met: atMost ? value <= aim : value >= aim,
  }
}
