/** Work that comes round again and again: one that takes longer than the pause is not overtaken by the next. */
export class OneRound {
  #running: Promise<void> | undefined

  run(work: () => Promise<void>): Promise<void> {
    this.#running ??= work().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }
}
