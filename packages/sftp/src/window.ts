/** Lets a number of things be under way at once. The first that fails stops the rest from beginning. */
export class Window {
  readonly #limit: number
  #underWay = 0
  #failure: { readonly error: unknown } | undefined
  #wake: () => void = () => {}

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns when it has begun. */
  async begin(work: () => Promise<unknown>): Promise<void> {
    await this.#until(() => this.#underWay < this.#limit)
    this.#underWay++
    work().then(
      () => this.#ended(),
      (error: unknown) => this.#ended({ error }),
    )
  }

  /** Returns when all have ended. */
  drain(): Promise<void> {
    return this.#until(() => this.#underWay === 0)
  }

  async #until(holds: () => boolean): Promise<void> {
    while (this.#failure === undefined && !holds()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure) throw this.#failure.error
  }

  #ended(failure?: { readonly error: unknown }): void {
    this.#underWay--
    this.#failure ??= failure
    this.#wake()
  }
}
