/** Whether something must be read again. */
export class Staleness {
  #isStale = false
  #wake = (): void => {}

  mark(): void {
    this.#isStale = true
    this.#wake()
  }

  async marked(): Promise<void> {
    if (!this.#isStale)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    this.#isStale = false
  }
}
