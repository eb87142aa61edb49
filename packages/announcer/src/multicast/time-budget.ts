const windowMs = 1000

/** Limits work to a share of each second; further work in the same second is dropped. */
export class TimeBudget {
  readonly #shareMs: number
  #windowStart = 0
  #spentMs = 0

  constructor(share: number) {
    this.#shareMs = share * windowMs
  }

  /** False when the work was dropped. */
  spend(work: () => void): boolean {
    const start = performance.now()
    if (start - this.#windowStart > windowMs) {
      this.#windowStart = start
      this.#spentMs = 0
    }
    if (this.#spentMs >= this.#shareMs) return false
    try {
      work()
    } finally {
      this.#spentMs += performance.now() - start
    }
    return true
  }
}
