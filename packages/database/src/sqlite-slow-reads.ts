import { Worker } from 'node:worker_threads'
import type { FairQueue, Waiter } from '@wharf/platform/fair-queue.ts'
import { sharedNames } from '@wharf/platform/shared-names.ts'
import { pageTooLarge, readQueue, readTooSlow } from './read-cost.ts'
import { RowList } from './row-list.ts'
import type { ReadOrder, ReadReply, ThreadSettings } from './sqlite-read-worker.ts'

/** A user has at most one of the two, so the other is available to everybody else. */
const threads = 2
/** A thread notices its deadline at the next row, and a row takes under half a second. */
const graceMs = 1000

/** Reads of a SQLite database that would block the main thread, in threads that start with the first such read. */
export class SlowReads {
  readonly #settings: ThreadSettings
  readonly #idle: ReadThread[] = []
  readonly #all = new Set<ReadThread>()
  readonly #queue: FairQueue

  constructor(file: string, readMs: number) {
    this.#settings = { file, readMs }
    this.#queue = readQueue({ running: threads, runningPerShare: 1, readMs })
  }

  rows(order: ReadOrder, waiter: Waiter): Promise<RowList> {
    const { readMs } = this.#settings
    return new Promise((resolve, reject) => {
      this.#queue
        .run(waiter, async () => {
          // the caller gets its response in time, even when the thread stops late
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
    const reply = await thread.read(order)
    this.#idle.push(thread)
    return reply
  }

  #start(): ReadThread {
    const thread = new ReadThread(this.#settings, () => this.#remove(thread))
    this.#all.add(thread)
    return thread
  }

  #remove(thread: ReadThread): void {
    this.#all.delete(thread)
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
  }
}

/** Runs one read at a time. */
class ReadThread {
  readonly #worker: Worker
  #pending: PromiseWithResolvers<ReadReply> | undefined

  constructor(settings: ThreadSettings, onEnd: () => void) {
    const worker = new Worker(new URL('./sqlite-read-worker.ts', import.meta.url), { workerData: settings })
    this.#worker = worker
    worker.unref()
    worker.on('message', (reply: ReadReply) => this.#pending?.resolve(reply))
    const fail = (error: unknown): void => {
      onEnd()
      this.#pending?.reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread of the slow reads has ended')))
  }

  read(order: ReadOrder): Promise<ReadReply> {
    this.#pending = Promise.withResolvers<ReadReply>()
    this.#worker.postMessage(order)
    return this.#pending.promise
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

function rowsOf(reply: ReadReply, readMs: number): RowList {
  if ('refused' in reply) throw reply.refused === 'too-slow' ? readTooSlow(readMs) : pageTooLarge()
  if ('failure' in reply) throw Object.assign(new Error(reply.failure.message), { errcode: reply.failure.errcode })
  return new RowList(sharedNames(reply.names), reply.lists)
}
