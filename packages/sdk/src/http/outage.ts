import type { OutageListener } from '../call-types.ts'

/** Reports each outage once, and its end. */
export class Outage {
  readonly #listener: OutageListener
  #isReported = false

  constructor(listener: OutageListener) {
    this.#listener = listener
  }

  failed(error: Error): void {
    if (!this.#isReported) this.#listener.onDisconnected?.(error)
    this.#isReported = true
  }

  answered(): void {
    if (this.#isReported) this.#listener.onReconnected?.()
    this.#isReported = false
  }
}
