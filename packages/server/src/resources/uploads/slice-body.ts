import type { Readable } from 'node:stream'
import { bufferBytes } from '@wharf/platform/buffer-pool.ts'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'
import { discardMs, maxSliceBytes, silentClientMs } from './limits.ts'

/**
 * The bytes of a request as they arrive, at most one buffer of them. It listens from the start: bytes that arrived before
 * the connection broke count, also when nothing has read them yet.
 */
export class SliceBody {
  readonly #stream: Readable
  readonly #pieces: Buffer[] = []
  readonly #silenceTimer: NodeJS.Timeout
  #onChange = (): void => {}
  #isStopped = false
  /** All bytes that arrived, and those of them that were not taken yet. */
  arrivedBytes = 0
  waitingBytes = 0
  ending: 'complete' | 'broken' | undefined

  constructor(stream: Readable) {
    this.#stream = stream
    this.#silenceTimer = setTimeout(() => stream.destroy(), silentClientMs)
    // an error is only a broken connection, and must not end the process
    stream.on('error', () => this.#end('broken')).on('close', () => this.#end('broken'))
    stream.on('end', () => this.#end('complete')).on('data', this.#take)
  }

  /** Calls back whenever bytes or the end arrive. */
  watch(onChange: () => void): void {
    this.#onChange = onChange
    onChange()
  }

  /** Fills the view with the next bytes; at least that many must be waiting. */
  take(view: Uint8Array): void {
    for (let filled = 0; filled < view.length; ) {
      const piece = this.#pieces.shift() as Buffer
      const part = piece.subarray(0, view.length - filled)
      if (part.length < piece.length) this.#pieces.unshift(piece.subarray(part.length))
      view.set(part, filled)
      filled += part.length
      if (part.length === piece.length) releaseBuffer(piece)
    }
    this.waitingBytes -= view.length
    if (!this.#isStopped && this.waitingBytes < bufferBytes) this.#stream.resume()
  }

  /** Stops reading; the waiting bytes stay. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#silenceTimer)
    this.#onChange = () => {}
    this.#stream.off('data', this.#take).pause()
  }

  /** A client reads its answer after it has sent the slice, so at most the rest of one slice is read and discarded. */
  discard(): void {
    this.stop()
    if (this.ending !== undefined) return
    let bytes = 0
    // a slow client does not keep the connection
    const timer = setTimeout(() => this.#stream.destroy(), discardMs).unref()
    this.#stream.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    this.#stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxSliceBytes) this.#stream.destroy()
    })
    this.#stream.resume()
  }

  /** The whole body, from its first byte, to forward it to another node. Fails when the request fails. */
  async *readRest(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        for (let piece = this.#pieces.shift(); piece; piece = this.#pieces.shift()) {
          this.waitingBytes -= piece.length
          if (this.waitingBytes < bufferBytes) this.#stream.resume()
          yield piece
        }
        if (this.ending === 'complete') return
        if (this.ending === 'broken') throw new Error('the connection closed')
        await new Promise<void>((resolve) => {
          this.#onChange = resolve
        })
      }
    } finally {
      this.discard()
    }
  }

  readonly #take = (chunk: Buffer): void => {
    this.arrivedBytes += chunk.length
    this.waitingBytes += chunk.length
    this.#pieces.push(chunk)
    this.#silenceTimer.refresh()
    this.#onChange()
    if (this.waitingBytes >= bufferBytes) this.#stream.pause()
  }

  #end(ending: 'complete' | 'broken'): void {
    if (this.ending !== undefined) return
    this.ending = ending
    clearTimeout(this.#silenceTimer)
    this.#onChange()
  }
}
