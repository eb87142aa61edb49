/** One figure: what Wharf reached, what it is held against in the same run, and their ratio. */
export interface Figure {
  name: string
  unit: string
  /** Median over the rounds. */
  value: number
  peer: string
  peerValue: number
  ratio: number
  /** Lowest and highest ratio of the rounds. */
  spread: [number, number]
  aim: string
  /** Undefined where there is nothing to be met. */
  met: boolean | undefined
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** Interleaved, so that a busy moment of the machine meets both. */
export async function compare(
  about: { name: string; unit: string; peer: string; aim?: number },
  rounds: number,
  ours: () => Promise<number>,
  peer: () => Promise<number>,
): Promise<Figure> {
  const mine: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      mine.push(await ours())
      theirs.push(await peer())
    } else {
      theirs.push(await peer())
      mine.push(await ours())
    }
  }
  const ratios = mine.map((value, index) => value / (theirs[index] ?? Number.NaN))
  const ratio = median(ratios)
  return {
    ...about,
    value: median(mine),
    peerValue: median(theirs),
    ratio,
    spread: [Math.min(...ratios), Math.max(...ratios)],
    aim: about.aim === undefined ? 'for comparison' : `ratio ≥ ${about.aim}`,
    met: about.aim === undefined ? undefined : ratio >= about.aim,
  }
}

/** A figure with a fixed aim instead of a peer. */
export async function reach(
  about: { name: string; unit: string; aim: number; atMost?: boolean },
  rounds: number,
  ours: () => Promise<number>,
): Promise<Figure> {
  const mine: number[] = []
  for (let round = 0; round < rounds; round++) mine.push(await ours())
  const value = median(mine)
  const ratios = mine.map((one) => one / about.aim)
  return {
    name: about.name,
    unit: about.unit,
    value,
    peer: 'the aim itself',
    peerValue: about.aim,
    ratio: value / about.aim,
    spread: [Math.min(...ratios), Math.max(...ratios)],
    aim: `${about.atMost ? '≤' : '≥'} ${about.aim} ${about.unit}`,
    met: about.atMost ? value <= about.aim : value >= about.aim,
  }
}
