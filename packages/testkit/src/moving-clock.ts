/** Stands still until a test moves it. */
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
