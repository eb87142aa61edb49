import { backoffMs } from '@wharf/platform/backoff.ts'

const pauses = { firstMs: 1000, longestMs: 60_000 }

/** Growing pauses between queries that may never be answered. */
export class Backoff {
  #dueAt = Number.NEGATIVE_INFINITY
  #queries = 0

  /** True when a query is due; schedules the next. */
  takeDue(now: number): boolean {
    if (now < this.#dueAt) return false
    this.#dueAt = now + backoffMs(this.#queries++, pauses)
    return true
  }

  /** Restarts with the first pause, not before this time. */
  reset(dueAt = Number.NEGATIVE_INFINITY): void {
    this.#dueAt = dueAt
    this.#queries = 0
  }
}
