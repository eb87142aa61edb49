/** Random numbers that are reproducible from a seed. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A generator for one part of a run, independent of how often the others draw. */
  fork(part: number): SeededRandom {
    const fork = new SeededRandom(this.#state ^ Math.imul(part + 1, 0x9e3779b1))
    fork.fraction()
    return fork
  }

  /** From 0 to 1, without 1. (The generator is mulberry32.) */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  happens(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)] as T
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list]
    return list.flatMap(() => left.splice(this.between(0, left.length - 1), 1))
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.between(0, 15).toString(16)).join('')
  }
}

/** `npm test` draws the same each time, so that a change alone makes it fail; the long form uses a new seed. */
const defaultSeed = process.env.TEST_LONG ? Math.floor(Math.random() * 2 ** 32) : 20_261_115

/** A failure names the seed; TEST_SEED=… with the test file reproduces it. */
export async function withSeed<T>(work: (random: SeededRandom) => Promise<T>): Promise<T> {
  const seed = Number(process.env.TEST_SEED ?? defaultSeed)
  try {
    return await work(new SeededRandom(seed))
  } catch (cause) {
    throw new Error(`with TEST_SEED=${seed}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
