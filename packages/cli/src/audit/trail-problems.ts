/** What does not match, and where. */
export interface TrailProblem {
  /** The first entry that is concerned; null when that is unknown. */
  readonly seq: number | null
  readonly text: string
}

/** A trail that is broken everywhere must not fill the memory. */
const maxKept = 50

/** The problems of a trail; only the first ones are kept. */
export class TrailProblems {
  readonly kept: TrailProblem[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(seq: number | null, text: string): void {
    this.#count++
    if (this.kept.length < maxKept) this.kept.push({ seq, text })
  }
}

const number = (value: number): string => value.toLocaleString('en')

/** `entry 5`, `entries 5 to 1,200` */
export const entriesText = (first: number, last: number): string =>
  first === last ? `entry ${number(first)}` : `entries ${number(first)} to ${number(last)}`

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
