import type { ServerResponse } from 'node:http'

/** Bytes that stop on their way until they may go on; who asks after that gets all of them at once. */
export class StallingBytes {
  readonly bytes: Buffer
  readonly #stopAt: number
  #isResumed = false
  #isCut = false

  constructor(bytes: Buffer, stopAt: number) {
    this.bytes = bytes
    this.#stopAt = stopAt
  }

  get isStalled(): boolean {
    return !this.#isResumed
  }

  readonly serve = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': this.bytes.length })
    if (this.#isResumed) {
      response.end(this.bytes)
      return
    }
    response.flushHeaders()
    if (this.#stopAt > 0) response.write(this.bytes.subarray(0, this.#stopAt))
    if (this.#isCut) setImmediate(() => response.destroy())
  }

  /** For those who ask from now on. */
  resume(): void {
    this.#isResumed = true
  }

  /** From now on it breaks off where it stood still before. */
  cut(): void {
    this.#isCut = true
  }
}
