export const bufferBytes = 1024 * 1024

/** Buffers shared with a hashing thread. Their number bounds the memory of all streams together. */
export class BufferPool {
  readonly memory: SharedArrayBuffer
  readonly #free: number[]
  readonly #waiting: ((buffer: number) => void)[] = []

  constructor(count: number) {
    this.memory = new SharedArrayBuffer(count * bufferBytes)
    this.#free = Array.from({ length: count }, (_, buffer) => buffer)
  }

  /** Undefined when all are in use. */
  tryAcquire(): number | undefined {
    return this.#free.pop()
  }

  /** In the order of the calls. */
  acquire(): Promise<number> {
    const buffer = this.tryAcquire()
    return buffer !== undefined ? Promise.resolve(buffer) : new Promise((resolve) => this.#waiting.push(resolve))
  }

  release(buffer: number): void {
    const next = this.#waiting.shift()
    if (next) next(buffer)
    else this.#free.push(buffer)
  }

  /** The first `length` bytes of a buffer. */
  view(buffer: number, length = bufferBytes): Uint8Array {
    return new Uint8Array(this.memory, buffer * bufferBytes, length)
  }
}
