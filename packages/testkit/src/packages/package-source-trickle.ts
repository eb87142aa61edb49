import type { ServerResponse } from 'node:http'

/** Bytes that never end, a few at a time, of a size that is not told. */
export class TricklingBytes {
  readonly #bytesAtOnce: number
  readonly #pauseMs: number

  constructor(bytesAtOnce: number, pauseMs: number) {
    this.#bytesAtOnce = bytesAtOnce
    this.#pauseMs = pauseMs
  }

  readonly serve = (response: ServerResponse): void => {
    response.writeHead(200)
    const timer = setInterval(() => {
      if (response.writableLength < this.#bytesAtOnce) response.write(Buffer.alloc(this.#bytesAtOnce, 1))
    }, this.#pauseMs)
    response.once('close', () => clearInterval(timer))
  }
}
