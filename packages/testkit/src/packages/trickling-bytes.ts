import type { ServerResponse } from 'node:http'

/** An endless source that sends a few bytes at a time, without a content length. */
export class TricklingBytes {
  readonly #chunkBytes: number
  readonly #pauseMs: number

  constructor(chunkBytes: number, pauseMs: number) {
    this.#chunkBytes = chunkBytes
    this.#pauseMs = pauseMs
  }

  readonly serve = (response: ServerResponse): void => {
    response.writeHead(200)
    const timer = setInterval(() => {
      if (response.writableLength < this.#chunkBytes) response.write(Buffer.alloc(this.#chunkBytes, 1))
    }, this.#pauseMs)
    response.once('close', () => clearInterval(timer))
  }
}
