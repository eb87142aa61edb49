import { createHash, type Hash } from 'node:crypto'
import { bufferBytes } from './buffer-pool.ts'
import { HashingThread, type StreamHash } from './hashing-thread.ts'

/** The digest of a stream. */
export interface StreamDigest {
  /** Returns a promise when the caller must wait before the next chunk. */
  update(chunk: Buffer): Promise<void> | undefined
  digest(): Promise<string>
  /** Releases the thread and its memory; may be called at any time, and twice. */
  close(): void
}

/** Below this a thread costs more than it saves. */
const threadFromBytes = 64 * 1024 * 1024
const bufferCount = 4

export const streamMd5 = (expectedBytes = 0): StreamDigest => streamDigest('md5', expectedBytes)
export const streamSha256 = (expectedBytes = 0): StreamDigest => streamDigest('sha256', expectedBytes)

/** Large streams are hashed in a thread, so that this one is free to move their bytes. */
const streamDigest = (algorithm: string, expectedBytes: number): StreamDigest =>
  expectedBytes < threadFromBytes ? new LocalDigest(algorithm) : new ThreadDigest(algorithm)

class LocalDigest implements StreamDigest {
  readonly #hash: Hash

  constructor(algorithm: string) {
    this.#hash = createHash(algorithm)
  }

  update(chunk: Buffer): undefined {
    this.#hash.update(chunk)
  }

  async digest(): Promise<string> {
    return this.#hash.digest('hex')
  }

  close(): void {}
}

class ThreadDigest implements StreamDigest {
  readonly #thread = new HashingThread(bufferCount)
  readonly #hash: StreamHash
  #isClosed = false
  #buffer: number | undefined
  #filled = 0

  constructor(algorithm: string) {
    this.#hash = this.#thread.hashStream('stream', algorithm)
  }

  update(chunk: Buffer): Promise<void> | undefined {
    const taken = this.#take(chunk)
    return taken === chunk.length ? undefined : this.#takeRest(chunk.subarray(taken))
  }

  async #takeRest(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += this.#take(chunk.subarray(at))) {
      this.#buffer ??= await this.#thread.buffers.acquire()
      if (this.#isClosed) throw closed()
    }
  }

  /** Copies as many bytes as the free buffers can contain. */
  #take(chunk: Buffer): number {
    let at = 0
    while (at < chunk.length) {
      this.#buffer ??= this.#thread.buffers.tryAcquire()
      if (this.#buffer === undefined) return at
      const piece = chunk.subarray(at, at + bufferBytes - this.#filled)
      this.#thread.buffers.view(this.#buffer).set(piece, this.#filled)
      at += piece.length
      this.#filled += piece.length
      if (this.#filled === bufferBytes) this.#send(this.#buffer)
    }
    return at
  }

  #send(buffer: number): void {
    if (this.#isClosed) throw closed()
    void this.#hash.update(buffer, this.#filled).then(() => this.#thread.buffers.release(buffer))
    this.#buffer = undefined
    this.#filled = 0
  }

  async digest(): Promise<string> {
    if (this.#isClosed) throw closed()
    if (this.#buffer !== undefined && this.#filled > 0) this.#send(this.#buffer)
    return this.#hash.checksum()
  }

  close(): void {
    this.#isClosed = true
    void this.#thread.close()
  }
}

const closed = (): Error => new Error('the hashing thread was stopped')
