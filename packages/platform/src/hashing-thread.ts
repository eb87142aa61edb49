import { Worker } from 'node:worker_threads'
import { BufferPool } from './buffer-pool.ts'
import type { Digests } from './digests.ts'
import type { HashingOrder, HashingReply } from './hashing-thread-worker.ts'

/** The bytes of one stream, hashed in the thread. */
export interface StreamHash {
  /** In the order of arrival. Resolves when the buffer is no longer needed; never rejects. */
  update(buffer: number, length: number): Promise<void>
  /** Of this stream alone, in hex. */
  checksum(): Promise<string>
}

/** One slice of a file that arrives in slices. */
export interface SliceHash extends StreamHash {
  /** The file ends at `offset` now; `isKept` unless the bytes of the slice are discarded. */
  end(offset: number, isKept: boolean): void
}

/** A file that is hashed as a whole while its slices arrive. */
export interface SlicedFile {
  readonly id: string
  readonly path: string
  /** Where the next slice starts. */
  readonly offset: number
  /** SHA-256 of the whole, besides its MD5. */
  readonly withSha256?: boolean
}

/** Hashes in a thread, since MD5 costs more than the rest of an upload. The thread starts with the first bytes. */
export class HashingThread {
  readonly buffers: BufferPool
  readonly #updates = new Map<number, PromiseWithResolvers<void>>()
  readonly #requests = new Map<number, PromiseWithResolvers<string | Digests>>()
  #worker: Worker | undefined
  #lastRequest = 0

  constructor(bufferCount: number) {
    this.buffers = new BufferPool(bufferCount)
  }

  hashStream(id: string, algorithm: string): StreamHash {
    this.#send({ do: 'begin', id, algorithm })
    return this.#hashOf(id)
  }

  /** `algorithm`: of a checksum of the slice alone. */
  hashSlice({ id, path, offset, withSha256 = false }: SlicedFile, algorithm?: string): SliceHash {
    this.#send({ do: 'begin', id, algorithm, file: { path, offset, withSha256 } })
    return {
      ...this.#hashOf(id),
      end: (reached, isKept) => this.#send({ do: 'end', id, path, offset: reached, isKept }),
    }
  }

  /** Reads from the file what did not pass through the thread: all of it, after a restart. */
  hashWhole(id: string, path: string, size: number, withSha256 = false): Promise<Digests> {
    return this.#request<Digests>((request) => ({ do: 'whole', id, path, size, withSha256, request }))
  }

  forget(id: string): void {
    if (this.#worker) this.#send({ do: 'forget', id })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#lose(worker, new Error('the hashing thread was stopped'))
    await worker?.terminate()
  }

  #hashOf(id: string): StreamHash {
    return {
      update: (buffer, length) => {
        const update = Promise.withResolvers<void>()
        this.#updates.set(buffer, update)
        this.#send({ do: 'update', id, buffer, length })
        return update.promise
      },
      checksum: () => this.#request<string>((request) => ({ do: 'checksum', id, request })),
    }
  }

  #request<Answer extends string | Digests>(order: (request: number) => HashingOrder): Promise<Answer> {
    const request = ++this.#lastRequest
    const answer = Promise.withResolvers<string | Digests>()
    this.#requests.set(request, answer)
    this.#send(order(request))
    return answer.promise as Promise<Answer>
  }

  #send(order: HashingOrder): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(order)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./hashing-thread-worker.ts', import.meta.url), {
      workerData: this.buffers.memory,
    })
    worker.unref()
    worker.on('message', (reply: HashingReply) => this.#receive(reply))
    worker.on('error', (error) => this.#lose(worker, error as Error))
    worker.on('exit', () => this.#lose(worker, new Error('the hashing thread has ended')))
    return worker
  }

  #receive(reply: HashingReply): void {
    if ('buffer' in reply) {
      this.#updates.get(reply.buffer)?.resolve()
      this.#updates.delete(reply.buffer)
      return
    }
    const request = this.#requests.get(reply.request)
    this.#requests.delete(reply.request)
    if ('result' in reply) request?.resolve(reply.result)
    else request?.reject(reply.failure)
  }

  /** Its state is lost: files are read again, and only pending digests fail. */
  #lose(worker: Worker | undefined, error: Error): void {
    if (worker === undefined || worker !== this.#worker) return
    this.#worker = undefined
    for (const update of this.#updates.values()) update.resolve()
    for (const request of this.#requests.values()) request.reject(error)
    this.#updates.clear()
    this.#requests.clear()
  }
}
