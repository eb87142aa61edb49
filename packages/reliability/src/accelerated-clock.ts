/** Runs faster than real time: pauses of seconds last milliseconds and keep their order. */
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
