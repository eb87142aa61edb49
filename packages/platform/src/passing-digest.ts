import { createHash, type Hash } from 'node:crypto'
import { Worker } from 'node:worker_threads'

/** The digest of bytes that pass by. */
export interface PassingDigest {
  /** With a promise: whoever has more to give waits for it. */
  update(chunk: Buffer): Promise<void> | undefined
  digest(): Promise<string>
  /** Lets go of everything; may be called at any time, and twice. */
  close(): void
}

/** Below this a thread costs more than it saves. */
const threadFromBytes = 64 * 1024 * 1024
const slotBytes = 1024 * 1024
const slotCount = 4

export const passingMd5 = (expectedBytes = 0): PassingDigest => passingDigest('md5', expectedBytes)
export const passingSha256 = (expectedBytes = 0): PassingDigest => passingDigest('sha256', expectedBytes)

/** Of many bytes it is made in a thread, so that this one is free to move them. */
const passingDigest = (algorithm: string, expectedBytes: number): PassingDigest =>
  expectedBytes < threadFromBytes ? new DigestHere(algorithm) : new DigestInThread(algorithm)

class DigestHere implements PassingDigest {
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

class DigestInThread implements PassingDigest {
  readonly #memory = new SharedArrayBuffer(slotCount * slotBytes)
  readonly #view = new Uint8Array(this.#memory)
  readonly #worker: Worker
  readonly #free = Array.from({ length: slotCount }, (_, slot) => slot)
  readonly #digest = Promise.withResolvers<string>()
  #freed = Promise.withResolvers<void>()
  #lost: unknown
  #slot: number | undefined
  #filled = 0

  constructor(algorithm: string) {
    this.#worker = new Worker(new URL('./digest-worker.ts', import.meta.url), {
      workerData: { memory: this.#memory, slotBytes, algorithm },
    })
    // who waits for one of them hears of it; the others need not
    const lost = (error: unknown): void => {
      this.#lost ??= error
      this.#digest.reject(error)
      this.#freed.reject(error)
    }
    this.#digest.promise.catch(() => {})
    this.#freed.promise.catch(() => {})
    this.#worker.unref()
    this.#worker.on('error', lost)
    this.#worker.on('exit', () => lost(new Error('the hashing thread has ended')))
    this.#worker.on('message', (message: number | string) => {
      if (typeof message === 'string') return this.#digest.resolve(message)
      this.#free.push(message)
      this.#freed.resolve()
    })
  }

  update(chunk: Buffer): Promise<void> | undefined {
    const taken = this.#take(chunk)
    return taken === chunk.length ? undefined : this.#takeRest(chunk.subarray(taken))
  }

  async #takeRest(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += this.#take(chunk.subarray(at))) {
      // its last word may have been that a slot is free, in the same breath as its end
      if (this.#lost !== undefined) throw this.#lost
      this.#freed = Promise.withResolvers()
      this.#freed.promise.catch(() => {})
      if (this.#free.length === 0) await this.#freed.promise
    }
  }

  /** As many bytes as there is room for. */
  #take(chunk: Buffer): number {
    let at = 0
    while (at < chunk.length) {
      this.#slot ??= this.#free.pop()
      if (this.#slot === undefined) return at
      const piece = chunk.subarray(at, at + slotBytes - this.#filled)
      this.#view.set(piece, this.#slot * slotBytes + this.#filled)
      at += piece.length
      this.#filled += piece.length
      if (this.#filled === slotBytes) this.#send()
    }
    return at
  }

  #send(): void {
    this.#worker.postMessage({ slot: this.#slot, bytes: this.#filled })
    this.#slot = undefined
    this.#filled = 0
  }

  digest(): Promise<string> {
    if (this.#filled > 0) this.#send()
    this.#worker.postMessage('digest')
    return this.#digest.promise
  }

  close(): void {
    void this.#worker.terminate()
  }
}
