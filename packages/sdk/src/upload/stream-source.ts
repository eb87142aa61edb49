import { UploadError } from '../error.ts'
import type { ByteSource, Slice } from './source.ts'

/** A stream cannot be read twice, so this much of it is kept until the server has it. */
const keptBytes = 8 * 2 ** 20

/** Bytes that come by themselves, of a length that nobody knows before their end. */
export class StreamSource implements ByteSource {
  readonly name: string
  readonly identity = undefined
  readonly sliceBytes = keptBytes
  size: number | undefined
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #kept: Uint8Array[] = []
  #keptFrom = 0
  #readUpTo = 0

  constructor(stream: ReadableStream<Uint8Array>, name: string) {
    this.#reader = stream.getReader()
    this.name = name
  }

  async slice(offset: number, maxBytes: number): Promise<Slice> {
    if (offset < this.#keptFrom)
      throw new UploadError(`the server is back at byte ${offset} of a stream that has passed it; it cannot be resumed`)
    await this.#readTo(offset + maxBytes, offset)
    const bytes = Math.min(maxBytes, this.#readUpTo - offset)
    const body = new Uint8Array(Math.max(0, bytes))
    let at = this.#keptFrom - offset
    for (const chunk of this.#kept) {
      const from = Math.max(0, -at)
      const part = chunk.subarray(from, Math.max(from, body.length - at))
      body.set(part, Math.max(0, at))
      at += chunk.length
      if (at >= body.length) break
    }
    return { body, bytes: body.length, isLast: offset + body.length === this.size }
  }

  async close(): Promise<void> {
    // an iterator ends only behind what it is waiting for, which may never come
    this.#reader.cancel().catch(() => {})
  }

  /** Forgets what the server has; it has said so by asking for `from`. */
  async #readTo(target: number, from: number): Promise<void> {
    this.#forget(from)
    while (this.#readUpTo < target && this.size === undefined) {
      const { done, value } = await this.#reader.read()
      if (done) {
        this.size = this.#readUpTo
        if (this.size < from)
          throw new UploadError(`the stream has ended at byte ${this.size}, before ${from}, where it was`)
        return
      }
      this.#kept.push(value)
      this.#readUpTo += value.length
      this.#forget(from)
    }
  }

  #forget(before: number): void {
    for (let [first] = this.#kept; first && this.#keptFrom + first.length <= before; [first] = this.#kept) {
      this.#keptFrom += first.length
      this.#kept.shift()
    }
  }
}
