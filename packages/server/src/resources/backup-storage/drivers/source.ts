import type { Readable } from 'node:stream'
import { untilAborted } from '@wharf/platform/abort.ts'

/** The bytes to store. The stream is destroyed in any case, and a failure is attributed to the stream or to the storage. */
export class Source {
  readonly #bytes: Readable
  readonly #signal: AbortSignal
  #failure: { readonly error: unknown } | undefined

  private constructor(bytes: Readable, signal: AbortSignal) {
    this.#bytes = bytes
    this.#signal = signal
  }

  /**
   * Throws the error of the stream, or the reason of the signal. Any other error is one of the storage, which `failure`
   * describes.
   */
  static async consume(
    bytes: Readable,
    signal: AbortSignal,
    write: (source: Source) => Promise<void>,
    failure: (error: unknown) => unknown,
  ): Promise<void> {
    // it may fail before it is read; the reader still gets the error
    bytes.on('error', () => {})
    const source = new Source(bytes, signal)
    try {
      signal.throwIfAborted()
      await write(source)
    } catch (error) {
      signal.throwIfAborted()
      throw source.#failure ? source.#failure.error : await failure(error)
    } finally {
      bytes.destroy()
    }
  }

  /** Blocks of these sizes; only the last is smaller. Reads nothing ahead. */
  async *blocks(sizeOf: (index: number) => number): AsyncGenerator<Buffer> {
    let index = 0
    let size = sizeOf(0)
    let buffered: Buffer[] = []
    let bufferedBytes = 0
    for await (const chunk of this.#read()) {
      let rest = chunk
      while (bufferedBytes + rest.length >= size) {
        const taken = rest.subarray(0, size - bufferedBytes)
        rest = rest.subarray(taken.length)
        const [only] = buffered
        yield only === undefined ? taken : Buffer.concat([...buffered, taken], size)
        buffered = []
        bufferedBytes = 0
        index++
        size = sizeOf(index)
      }
      if (rest.length === 0) continue
      buffered.push(rest)
      bufferedBytes += rest.length
    }
    if (bufferedBytes > 0) yield Buffer.concat(buffered, bufferedBytes)
  }

  /** Not `for await`: a stalled stream does not end when it is destroyed, and would block. */
  async *#read(): AsyncGenerator<Buffer> {
    const chunks = this.#bytes[Symbol.asyncIterator]()
    for (;;) {
      const next = await untilAborted(this.#signal, this.#next(chunks))
      if (next.done) return
      yield typeof next.value === 'string' ? Buffer.from(next.value) : next.value
    }
  }

  async #next(chunks: AsyncIterator<string | Buffer>): Promise<IteratorResult<string | Buffer>> {
    try {
      return await chunks.next()
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }
}
