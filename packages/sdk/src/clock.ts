/** Time is an argument, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** Dates in signatures are compared with the server's clock: once it says how far off ours is, we go by its time. */
export class CorrectedClock implements Clock {
  readonly #own: Clock
  #offsetMs = 0

  constructor(own: Clock) {
    this.#own = own
  }

  now(): number {
    return this.#own.now() + this.#offsetMs
  }

  correct(serverTime: number): void {
    this.#offsetMs = serverTime - this.#own.now()
  }
}
