import { observedBody } from '#file-source'
import { UploadError } from '../error.ts'
import type { ByteSource, Slice } from './byte-source.ts'

/** A stream cannot be read twice, so a slice stays in memory until the server has it. */
const streamSliceBytes = 8 * 2 ** 20

/** A stream whose length is unknown until it ends. */
export class StreamSource implements ByteSource {
  readonly name: string
  readonly identity = undefined
  readonly sliceBytes = streamSliceBytes
  size: number | undefined
  readonly #byFetch: boolean
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #kept: Uint8Array[] = []
  #keptFrom = 0
  #readUpTo = 0

  constructor(stream: ReadableStream<Uint8Array>, { name, byFetch }: { name: string; byFetch: boolean }) {
    this.#reader = stream.getReader()
    this.#byFetch = byFetch
    this.name = name
  }

  async slice(offset: number, maxBytes: number, onSent: (bytes: number) => void): Promise<Slice> {
    if (offset < this.#keptFrom)
      throw new UploadError(`cannot resume the stream at byte ${offset}: it has been read past that position`)
    await this.#readTo(offset + maxBytes, offset)
    const bytes = Math.min(maxBytes, this.#readUpTo - offset)
    const content = new Uint8Array(Math.max(0, bytes))
    let at = this.#keptFrom - offset
    for (const chunk of this.#kept) {
      const from = Math.max(0, -at)
      const part = chunk.subarray(from, Math.max(from, content.length - at))
      content.set(part, Math.max(0, at))
      at += chunk.length
      if (at >= content.length) break
    }
    const body = observedBody(content, onSent, this.#byFetch)
    return { body, bytes: content.length, isLast: offset + content.length === this.size }
  }

  async close(): Promise<void> {
    // not awaited: an iterator ends only after its pending read, which may never finish
    this.#reader.cancel().catch(() => {})
  }

  /** Drops the bytes before `from`, which the server has. */
  async #readTo(target: number, from: number): Promise<void> {
    this.#drop(from)
    while (this.#readUpTo < target && this.size === undefined) {
      const { done, value } = await this.#reader.read()
      if (done) {
        this.size = this.#readUpTo
        if (this.size < from)
          throw new UploadError(`the stream ended at byte ${this.size}, before the offset ${from} of the server`)
        return
      }
      this.#kept.push(value)
      this.#readUpTo += value.length
      this.#drop(from)
    }
  }

  #drop(before: number): void {
    for (let [first] = this.#kept; first && this.#keptFrom + first.length <= before; [first] = this.#kept) {
      this.#keptFrom += first.length
      this.#kept.shift()
    }
  }
}
