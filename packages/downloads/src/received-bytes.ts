import { Readable } from 'node:stream'
import { onAbort } from '@wharf/platform/abort.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'
import { tooLarge } from './too-large.ts'

/** As much waits for a slow reader, so that neither side waits for each single piece of the other. */
const highWaterMark = 512 * 1024

export const standardIdleTimeoutMs = 60_000

export interface Expectations {
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** The announced size. */
  readonly size: number | undefined
  readonly idleTimeoutMs: number
  /** The error for a source that fails in the middle. */
  readonly broken: (why: { cause?: unknown; receivedBytes: number; isSilent: boolean }) => ApiError
}

/** The bytes of a source, as many as it announced: otherwise the stream fails. Ending it early closes the source. */
export class ReceivedBytes extends Readable {
  readonly #source: Readable
  readonly #expectations: Expectations
  readonly #listening: Disposable | undefined
  #receivedBytes = 0
  #hasEnded = false
  /** Runs while bytes are awaited, not while the reader is slow. */
  #silence: NodeJS.Timeout | undefined

  constructor(source: Readable, expectations: Expectations) {
    super({ highWaterMark })
    this.#source = source
    this.#expectations = expectations
    source.pause()
    source.on('data', (chunk: Buffer) => this.#receive(chunk))
    source.once('end', () => this.#end())
    source.once('error', (cause) => this.#break(cause))
    source.once('close', () => this.#break())
    const { signal } = expectations
    this.#listening = onAbort(signal, () => void this.destroy(signal.reason))
    if (!signal.aborted && source.destroyed) this.#break(source.errored)
  }

  override _read(): void {
    const { idleTimeoutMs } = this.#expectations
    this.#silence ??= setTimeout(() => this.#break(undefined, true), idleTimeoutMs)
    this.#source.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#awaitNothing()
    this.#listening?.[Symbol.dispose]()
    this.#source.destroy()
    done(error)
  }

  #receive(chunk: Buffer): void {
    const { maxBytes } = this.#expectations
    this.#receivedBytes += chunk.length
    if (this.#receivedBytes > maxBytes) {
      this.destroy(tooLarge('the source sends too much', maxBytes))
    } else if (this.push(chunk)) {
      this.#silence?.refresh()
    } else {
      this.#awaitNothing()
      this.#source.pause()
    }
  }

  #end(): void {
    const { size } = this.#expectations
    this.#hasEnded = size === undefined || size === this.#receivedBytes
    if (!this.#hasEnded) this.#break()
    else this.push(null)
    this.#awaitNothing()
  }

  #break(cause?: unknown, isSilent = false): void {
    if (this.#hasEnded) return
    this.destroy(this.#expectations.broken({ cause, receivedBytes: this.#receivedBytes, isSilent }))
  }

  #awaitNothing(): void {
    clearTimeout(this.#silence)
    this.#silence = undefined
  }
}
