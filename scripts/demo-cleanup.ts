type Work = () => Promise<void> | void

/** Removes what the demo has created, in reverse order. */
export class DemoCleanup {
  readonly #works: Work[] = []
  readonly #onFailure: (error: unknown) => void
  #ending = Promise.resolve()

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  after(work: Work): void {
    this.#works.push(work)
  }

  /** Removes everything registered so far. After a failure it continues with the rest. */
  end(): Promise<void> {
    this.#ending = this.#ending.then(() => this.#removeAll())
    return this.#ending
  }

  async #removeAll(): Promise<void> {
    for (let work = this.#works.pop(); work !== undefined; work = this.#works.pop())
      try {
        await work()
      } catch (error) {
        this.#onFailure(error)
      }
  }
}
