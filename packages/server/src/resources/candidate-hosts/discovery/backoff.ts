const firstPauseMs = 1000
const longestPauseMs = 60_000

/** Growing pauses between queries that may never be answered. */
export class Backoff {
  #dueAt = Number.NEGATIVE_INFINITY
  #pauseMs = firstPauseMs

  /** True when a query is due; schedules the next. */
  takeDue(now: number): boolean {
    if (now < this.#dueAt) return false
    this.#dueAt = now + this.#pauseMs
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs)
    return true
  }

  /** Restarts with the first pause, not before this time. */
  reset(dueAt = Number.NEGATIVE_INFINITY): void {
    this.#dueAt = dueAt
    this.#pauseMs = firstPauseMs
  }
}
