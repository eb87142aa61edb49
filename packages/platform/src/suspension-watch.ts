const tickMs = 500
/** An event loop that is late by less has only been busy. */
const stoppedMs = 3000

/**
 * Detects that this process was suspended, alone or with its machine: a deadline that passed meanwhile proves nothing about
 * the peer that should have replied. Must be disposed.
 */
export class SuspensionWatch implements Disposable {
  readonly #timer = setInterval(() => this.#check(), tickMs).unref()
  #lastCheck = performance.now()
  #wasSuspended = false

  get wasSuspended(): boolean {
    this.#check()
    return this.#wasSuspended
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const now = performance.now()
    if (now - this.#lastCheck > tickMs + stoppedMs) this.#wasSuspended = true
    this.#lastCheck = now
  }
}
