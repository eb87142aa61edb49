import { Worker } from 'node:worker_threads'
import type { Digests } from '@wharf/platform/digests.ts'
import type { HasherOrder, HasherReply } from './hasher-worker.ts'
import { Slots } from './slots.ts'

/** A slice as the hashing thread sees it. */
export interface SliceHash {
  /** In the order of arrival. Ends when the slot is no longer needed; never fails. */
  update(slot: number, length: number): Promise<void>
  /** Of the slice alone, in hex. */
  checksum(): Promise<string>
  /** The upload stands at `offset` now; `kept` tells whether the bytes of the slice count. */
  end(offset: number, kept: boolean): void
}

/** Digests of uploads while they arrive, in one thread. It starts with the first slice. */
export class Hasher {
  readonly slots = new Slots()
  readonly #updates = new Map<number, PromiseWithResolvers<void>>()
  readonly #asks = new Map<number, PromiseWithResolvers<string | Digests>>()
  #worker: Worker | undefined
  #lastAsk = 0

  /** `algorithm`: of a checksum of the slice alone. `withSha256`: of the whole, beside its MD5. */
  begin(id: string, path: string, offset: number, algorithm?: string, withSha256 = false): SliceHash {
    this.#send({ do: 'begin', id, path, offset, algorithm, withSha256 })
    return {
      update: (slot, length) => {
        const update = Promise.withResolvers<void>()
        this.#updates.set(slot, update)
        this.#send({ do: 'update', id, slot, length })
        return update.promise
      },
      checksum: () => this.#ask<string>((ask) => ({ do: 'checksum', id, ask })),
      end: (reached, kept) => this.#send({ do: 'end', id, path, offset: reached, kept }),
    }
  }

  /** Reads what it has not seen coming: all of it, after a restart. */
  whole(id: string, path: string, size: number, withSha256 = false): Promise<Digests> {
    return this.#ask<Digests>((ask) => ({ do: 'whole', id, path, size, withSha256, ask }))
  }

  forget(id: string): void {
    if (this.#worker) this.#send({ do: 'forget', id })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#lost(worker, new Error('the hashing thread was stopped'))
    await worker?.terminate()
  }

  #ask<Answer extends string | Digests>(order: (ask: number) => HasherOrder): Promise<Answer> {
    const ask = ++this.#lastAsk
    const answer = Promise.withResolvers<string | Digests>()
    this.#asks.set(ask, answer)
    this.#send(order(ask))
    return answer.promise as Promise<Answer>
  }

  #send(order: HasherOrder): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(order)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./hasher-worker.ts', import.meta.url), { workerData: this.slots.memory })
    worker.unref()
    worker.on('message', (reply: HasherReply) => this.#hear(reply))
    worker.on('error', (error) => this.#lost(worker, error as Error))
    worker.on('exit', () => this.#lost(worker, new Error('the hashing thread has ended')))
    return worker
  }

  #hear(reply: HasherReply): void {
    if ('slot' in reply) {
      this.#updates.get(reply.slot)?.resolve()
      this.#updates.delete(reply.slot)
      return
    }
    const ask = this.#asks.get(reply.ask)
    this.#asks.delete(reply.ask)
    if ('digest' in reply) ask?.resolve(reply.digest)
    else if ('digests' in reply) ask?.resolve(reply.digests)
    else ask?.reject(reply.failure)
  }

  /** What it knew is gone and will be read from the files again; only who waits for a digest has to hear of it. */
  #lost(worker: Worker | undefined, error: Error): void {
    if (worker === undefined || worker !== this.#worker) return
    this.#worker = undefined
    for (const update of this.#updates.values()) update.resolve()
    for (const ask of this.#asks.values()) ask.reject(error)
    this.#updates.clear()
    this.#asks.clear()
  }
}
