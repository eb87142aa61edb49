import { type Deferred, deferred } from '../deferred.ts'
import { abortable } from '../http/abortable.ts'

/** Pauses and resumes an upload. */
export class PauseControl {
  #paused = new AbortController()
  #resumed: Deferred<void> | undefined

  get isPaused(): boolean {
    return this.#resumed !== undefined
  }

  /** Aborts on the next pause. */
  get signal(): AbortSignal {
    return this.#paused.signal
  }

  pause(): void {
    if (this.isPaused) return
    this.#resumed = deferred()
    this.#paused.abort()
  }

  resume(): void {
    if (!this.isPaused) return
    this.#paused = new AbortController()
    this.#resumed?.resolve()
    this.#resumed = undefined
  }

  /** Rejects with the reason of the signal when that aborts first. */
  async waitUntilResumed(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#resumed !== undefined) await abortable(this.#resumed.promise, signal)
  }
}
