/** Changes only when a test advances it. */
export class MovingClock {
  #now: number

  constructor(now = Date.now()) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  advance(ms: number): void {
    this.#now += ms
  }
}
