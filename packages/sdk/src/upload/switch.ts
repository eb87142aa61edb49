import { type Deferred, deferred } from '../deferred.ts'
import { beforeAbort } from '../http/pause.ts'

/** On or off; whoever works can wait for one and be told of the other. */
export class Switch {
  #off: AbortController = new AbortController()
  #on: Deferred<void> | undefined

  get isOn(): boolean {
    return this.#on === undefined
  }

  /** Aborted when it is turned off. */
  get signal(): AbortSignal {
    return this.#off.signal
  }

  turnOff(): void {
    if (!this.isOn) return
    this.#on = deferred()
    this.#off.abort()
  }

  turnOn(): void {
    if (this.isOn) return
    this.#off = new AbortController()
    this.#on?.resolve()
    this.#on = undefined
  }

  /** Throws the reason of the signal when that comes first. */
  async whenOn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#on === undefined) return
    await beforeAbort(this.#on.promise, signal)
  }
}
