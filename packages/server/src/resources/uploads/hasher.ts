import { Worker } from 'node:worker_threads'
import type { Digests } from '@wharf/platform/digests.ts'
import { BufferPool } from './buffer-pool.ts'
import type { HasherOrder, HasherReply } from './hasher-worker.ts'

/** The hash of one slice, computed in the hashing thread. */
export interface SliceHash {
  /** In the order of arrival. Resolves when the buffer can be reused; never rejects. */
  update(buffer: number, length: number): Promise<void>
  /** Of the slice alone, in hex. */
  checksum(): Promise<string>
  /** `offset` is the new offset of the upload; `kept` is whether the bytes of the slice count. */
  end(offset: number, kept: boolean): void
}

/** Computes the digests of uploads while they arrive, in one thread, which starts with the first slice. */
export class Hasher {
  readonly buffers = new BufferPool()
  readonly #updates = new Map<number, PromiseWithResolvers<void>>()
  readonly #requests = new Map<number, PromiseWithResolvers<string | Digests>>()
  #worker: Worker | undefined
  #lastRequest = 0

  /** `algorithm` is for the checksum of the slice alone; `withSha256` for the whole upload, in addition to its MD5. */
  begin(id: string, path: string, offset: number, algorithm?: string, withSha256 = false): SliceHash {
    this.#send({ do: 'begin', id, path, offset, algorithm, withSha256 })
    return {
      update: (buffer, length) => {
        const update = Promise.withResolvers<void>()
        this.#updates.set(buffer, update)
        this.#send({ do: 'update', id, buffer, length })
        return update.promise
      },
      checksum: () => this.#request<string>((request) => ({ do: 'checksum', id, request })),
      end: (reached, kept) => this.#send({ do: 'end', id, path, offset: reached, kept }),
    }
  }

  /** Reads the bytes that it has not hashed on arrival: all of them, after a restart. */
  whole(id: string, path: string, size: number, withSha256 = false): Promise<Digests> {
    return this.#request<Digests>((request) => ({ do: 'whole', id, path, size, withSha256, request }))
  }

  forget(id: string): void {
    if (this.#worker) this.#send({ do: 'forget', id })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#threadEnded(worker, new Error('the hashing thread was stopped'))
    await worker?.terminate()
  }

  #request<Answer extends string | Digests>(order: (request: number) => HasherOrder): Promise<Answer> {
    const request = ++this.#lastRequest
    const answer = Promise.withResolvers<string | Digests>()
    this.#requests.set(request, answer)
    this.#send(order(request))
    return answer.promise as Promise<Answer>
  }

  #send(order: HasherOrder): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(order)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./hasher-worker.ts', import.meta.url), { workerData: this.buffers.memory })
    worker.unref()
    worker.on('message', (reply: HasherReply) => this.#receive(reply))
    worker.on('error', (error) => this.#threadEnded(worker, error as Error))
    worker.on('exit', () => this.#threadEnded(worker, new Error('the hashing thread has ended')))
    return worker
  }

  #receive(reply: HasherReply): void {
    if ('buffer' in reply) {
      this.#updates.get(reply.buffer)?.resolve()
      this.#updates.delete(reply.buffer)
      return
    }
    const request = this.#requests.get(reply.request)
    this.#requests.delete(reply.request)
    if ('digest' in reply) request?.resolve(reply.digest)
    else if ('digests' in reply) request?.resolve(reply.digests)
    else request?.reject(reply.failure)
  }

  /** The next thread reads the files again; only pending digests fail. */
  #threadEnded(worker: Worker | undefined, error: Error): void {
    if (worker === undefined || worker !== this.#worker) return
    this.#worker = undefined
    for (const update of this.#updates.values()) update.resolve()
    for (const request of this.#requests.values()) request.reject(error)
    this.#updates.clear()
    this.#requests.clear()
  }
}
