/** Goes faster than time: pauses of seconds are over in milliseconds, and are kept all the same. */
export class AcceleratedClock {
  readonly #speed: number
  readonly #began = Date.now()

  constructor(speed: number) {
    this.#speed = speed
  }

  now(): number {
    return this.#began + Math.floor((Date.now() - this.#began) * this.#speed)
  }
}
