/** Runs work one at a time, in the order of arrival; work that fails does not stop what waits behind it. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()
  #length = 0

  /** How much work waits or runs. */
  get length(): number {
    return this.#length
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#length++
    const result = this.#last.then(work).finally(() => {
      this.#length--
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves when all work that was added before has ended. */
  async drain(): Promise<void> {
    await this.#last
  }
}
