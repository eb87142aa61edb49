import type { ServerResponse } from 'node:http'

/** A source that stalls after some bytes until `resume`; later requests get all bytes at once. */
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

  /** For later requests. */
  resume(): void {
    this.#isResumed = true
  }

  /** From now on it drops the connection where it stalled before. */
  cut(): void {
    this.#isCut = true
  }
}
