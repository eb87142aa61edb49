import { Worker } from 'node:worker_threads'
import { objectFactory } from '@wharf/platform/object-shape.ts'
import { FairQueue, type Waiter } from './fair-queue.ts'
import { pageTooLarge, readTooSlow } from './read-cost.ts'
import type { ReadOrder, ReadReply, ThreadSettings } from './sqlite-read-worker.ts'

/** One user at most has one of the two, so the other is there for everybody else. */
const threads = 2
/** A thread notices its deadline at the next row, and a row takes under half a second. */
const graceMs = 1000

type Rows = Record<string, unknown>[]

/** Reads of a SQLite database that would block the main thread, in threads that start with the first such read. */
export class SlowReads {
  readonly #settings: ThreadSettings
  readonly #idle: ReadThread[] = []
  readonly #all = new Set<ReadThread>()
  readonly #queue: FairQueue

  constructor(file: string, readMs: number) {
    this.#settings = { file, readMs }
    this.#queue = new FairQueue({ running: threads, runningPerUser: 1, waitMs: 3 * readMs })
  }

  rows(order: ReadOrder, waiter: Waiter): Promise<Rows> {
    const { readMs } = this.#settings
    return new Promise((resolve, reject) => {
      this.#queue
        .run(waiter, async () => {
          // the caller has its answer in time, even when the thread is late to stop
          const late = setTimeout(() => reject(readTooSlow(readMs)), readMs + graceMs)
          try {
            resolve(rowsOf(await this.#read(order), readMs))
          } finally {
            clearTimeout(late)
          }
        })
        .catch(reject)
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  async #read(order: ReadOrder): Promise<ReadReply> {
    const thread = this.#idle.pop() ?? this.#start()
    const reply = await thread.ask(order)
    this.#idle.push(thread)
    return reply
  }

  #start(): ReadThread {
    const thread = new ReadThread(this.#settings, () => this.#forget(thread))
    this.#all.add(thread)
    return thread
  }

  #forget(thread: ReadThread): void {
    this.#all.delete(thread)
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
  }
}

/** Answers one order at a time. */
class ReadThread {
  readonly #worker: Worker
  #asked: PromiseWithResolvers<ReadReply> | undefined

  constructor(settings: ThreadSettings, onEnd: () => void) {
    const worker = new Worker(new URL('./sqlite-read-worker.ts', import.meta.url), { workerData: settings })
    this.#worker = worker
    worker.unref()
    worker.on('message', (reply: ReadReply) => this.#asked?.resolve(reply))
    const fail = (error: unknown): void => {
      onEnd()
      this.#asked?.reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread of the slow reads has ended')))
  }

  ask(order: ReadOrder): Promise<ReadReply> {
    this.#asked = Promise.withResolvers<ReadReply>()
    this.#worker.postMessage(order)
    return this.#asked.promise
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

function rowsOf(reply: ReadReply, readMs: number): Rows {
  if ('refused' in reply) throw reply.refused === 'too-slow' ? readTooSlow(readMs) : pageTooLarge()
  if ('failure' in reply) throw Object.assign(new Error(reply.failure.message), { errcode: reply.failure.errcode })
  return reply.lists.map(objectFactory(reply.names))
}
