const tickMs = 500
/** An event loop that is late by less has only been busy. */
const stoppedMs = 3000

/**
 * Notices that this process stood still for a while, stopped or with its machine, and so cannot tell whether something that
 * it waited for was late or only went unheard. To be disposed of.
 */
export class SuspensionWatch implements Disposable {
  readonly #timer = setInterval(() => this.#look(), tickMs).unref()
  #lastLook = performance.now()
  #wasSuspended = false

  get wasSuspended(): boolean {
    this.#look()
    return this.#wasSuspended
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    if (now - this.#lastLook > tickMs + stoppedMs) this.#wasSuspended = true
    this.#lastLook = now
  }
}
