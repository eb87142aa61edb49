import { backoffMs } from '@wharf/platform/backoff.ts'

/** The database is usually back within seconds. */
const pauses = { firstMs: 500, longestMs: 5000 }

/** Retries to finish uploads that may be complete, with growing pauses, until it succeeds. */
export class FinishRetries {
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #finish: (id: string) => Promise<void>

  /** `finish` throws when it must be retried. */
  constructor(finish: (id: string) => Promise<void>) {
    this.#finish = finish
  }

  schedule(id: string, attempt = 0): void {
    if (this.#timers.has(id)) return
    const timer = setTimeout(
      () => {
        this.#timers.delete(id)
        this.#finish(id).catch(() => this.schedule(id, attempt + 1))
      },
      backoffMs(attempt, pauses),
    )
    timer.unref()
    this.#timers.set(id, timer)
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
