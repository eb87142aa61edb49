const firstPauseMs = 1000
const longestPauseMs = 60_000

/** Asking again after ever longer pauses, for what may never be answered. */
export class Backoff {
  #dueAt = Number.NEGATIVE_INFINITY
  #pauseMs = firstPauseMs

  /** True when it is time; the next time is then set. */
  takeDue(now: number): boolean {
    if (now < this.#dueAt) return false
    this.#dueAt = now + this.#pauseMs
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs)
    return true
  }

  /** From the beginning, and not before this time. */
  reset(dueAt = Number.NEGATIVE_INFINITY): void {
    this.#dueAt = dueAt
    this.#pauseMs = firstPauseMs
  }
}
