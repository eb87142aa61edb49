import { deferred } from '../deferred.ts'
import { pause } from '../http/pause.ts'

/** Wakes whoever waits: at once, or for mere progress no more often than that is wanted. */
export class Bell {
  #now = deferred<void>()
  #progress = deferred<void>()

  ring(urgency: 'now' | 'progress'): void {
    if (urgency === 'now') this.#now.resolve()
    this.#progress.resolve()
  }

  /** Before a look: what rings from here on may not be in it. */
  reset(): void {
    this.#now = deferred()
    this.#progress = deferred()
  }

  /** `progressMs` is undefined for those who do not care for progress. */
  async wait(ms: number, progressMs: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (progressMs === undefined) return this.#sleep(ms, this.#now.promise, signal)
    await this.#sleep(Math.min(ms, progressMs), this.#now.promise, signal)
    await this.#sleep(Math.max(0, ms - progressMs), this.#progress.promise, signal)
  }

  /** Leaves no timer behind. */
  async #sleep(ms: number, woken: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const timer = new AbortController()
    const either = signal ? AbortSignal.any([signal, timer.signal]) : timer.signal
    try {
      await Promise.race([woken, pause(ms, either)])
    } finally {
      timer.abort()
    }
  }
}
