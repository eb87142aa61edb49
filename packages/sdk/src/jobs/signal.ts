import { deferred } from '../deferred.ts'
import { withTimeout } from '../http/abortable.ts'

/** Wakes a waiter: immediately when the job ends, and at a limited rate when it progresses. */
export class Signal {
  #ended = deferred<void>()
  #progressed = deferred<void>()

  notify(event: 'ended' | 'progressed'): void {
    if (event === 'ended') this.#ended.resolve()
    this.#progressed.resolve()
  }

  /** Call before a poll: the poll may miss later notifications. */
  reset(): void {
    this.#ended = deferred()
    this.#progressed = deferred()
  }

  /** `progressMs` is the shortest time between two progress reports; undefined ignores progress. */
  async wait(ms: number, progressMs: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (progressMs === undefined) return withTimeout(this.#ended.promise, ms, signal)
    await withTimeout(this.#ended.promise, Math.min(ms, progressMs), signal)
    await withTimeout(this.#progressed.promise, Math.max(0, ms - progressMs), signal)
  }
}
