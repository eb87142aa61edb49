/** Injected so that tests control the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** Follows the server's clock once the server reports its time, because the server checks the dates of signatures. */
export class CorrectedClock implements Clock {
  readonly #local: Clock
  #offsetMs = 0

  constructor(local: Clock) {
    this.#local = local
  }

  now(): number {
    return this.#local.now() + this.#offsetMs
  }

  correct(serverTime: number): void {
    this.#offsetMs = serverTime - this.#local.now()
  }
}
