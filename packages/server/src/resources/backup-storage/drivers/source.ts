import type { Readable } from 'node:stream'
import { untilAborted } from '@wharf/platform/abort.ts'

/** What is to be stored. Whatever becomes of it, the source is let go of, and a failure is told by who caused it. */
export class Source {
  readonly #bytes: Readable
  readonly #signal: AbortSignal
  #failure: { readonly error: unknown } | undefined

  private constructor(bytes: Readable, signal: AbortSignal) {
    this.#bytes = bytes
    this.#signal = signal
  }

  /**
   * Throws what the source threw when the source failed, and the reason of the signal when that was it. Anything else
   * is a failure of the storage, which `failure` puts into words.
   */
  static async consume(
    bytes: Readable,
    signal: AbortSignal,
    write: (source: Source) => Promise<void>,
    failure: (error: unknown) => unknown,
  ): Promise<void> {
    // it may fail before anyone reads it; who reads it learns of that all the same
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

  /** Block after block, of these sizes; only the last is smaller. Nothing is read ahead of who asks. */
  async *blocks(sizeOf: (index: number) => number): AsyncGenerator<Buffer> {
    let index = 0
    let wanted = sizeOf(0)
    let held: Buffer[] = []
    let heldBytes = 0
    for await (const chunk of this.#read()) {
      let rest = chunk
      while (heldBytes + rest.length >= wanted) {
        const taken = rest.subarray(0, wanted - heldBytes)
        rest = rest.subarray(taken.length)
        const [only] = held
        yield only === undefined ? taken : Buffer.concat([...held, taken], wanted)
        held = []
        heldBytes = 0
        index++
        wanted = sizeOf(index)
      }
      if (rest.length === 0) continue
      held.push(rest)
      heldBytes += rest.length
    }
    if (heldBytes > 0) yield Buffer.concat(held, heldBytes)
  }

  /** By hand: a source that is stuck does not end when it is destroyed, and must not hold us up. */
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
