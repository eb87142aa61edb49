import { Worker } from 'node:worker_threads'
import { SerialQueue } from './serial-queue.ts'

export interface ThreadLimits {
  /** Processor time of the thread for one task, so that a busy machine fails no task. Checked every 20 ms. */
  readonly cpuMs: number
  /** Of one task, by the clock, whatever the thread reports. */
  readonly wallMs: number
  readonly heapMegabytes: number
}

/** The first reply, without an outcome, reports that the thread is ready. */
export interface ThreadReply<Result> {
  /** Processor time of the thread since its start. */
  readonly cpuMs: number
  readonly outcome?: { readonly result: Result } | { readonly failure: string }
}

/** A task exceeded its time or the memory of the thread, which was terminated. */
export class ThreadOverrun extends Error {
  override readonly name = 'ThreadOverrun'
  readonly limit: 'time' | 'memory'

  constructor(limit: 'time' | 'memory') {
    super(`a task of the thread needs too much ${limit}`)
    this.limit = limit
  }
}

const checkEveryMs = 20
/** Loading the modules of a thread takes a moment, on a busy machine several. */
const startMs = 20_000

/**
 * Runs tasks that may not end, or need too much memory, in a thread, one at a time. A task beyond the limits fails and ends the
 * thread; the next task starts another. `script` calls `serveTasks`.
 */
export class BoundedThread<Task, Result> {
  readonly #script: URL
  readonly #limits: ThreadLimits
  readonly #workerData: unknown
  readonly #tasks = new SerialQueue()
  #worker: Worker | undefined
  #pending: PromiseWithResolvers<ThreadReply<Result>> | undefined
  /** Processor time of the thread before the current task. */
  #cpuMsBefore = 0

  constructor(script: URL, limits: ThreadLimits, workerData?: unknown) {
    this.#script = script
    this.#limits = limits
    this.#workerData = workerData
  }

  /** Starts the thread when none runs, so that the first task need not wait for that. */
  ready(): Promise<void> {
    return this.#tasks.run(async () => void (await this.#running()))
  }

  run(task: Task): Promise<Result> {
    return this.#tasks.run(() => this.#run(task))
  }

  async close(): Promise<void> {
    await this.#end(new Error('the thread was closed'))
  }

  async #run(task: Task): Promise<Result> {
    const worker = await this.#running()
    const check = setInterval(() => void this.#endIfSlow(worker), checkEveryMs)
    try {
      const overrun = new ThreadOverrun('time')
      const { outcome } = await this.#reply(this.#limits.wallMs, overrun, () => worker.postMessage(task))
      if (outcome === undefined) throw new Error('the thread replied without an outcome')
      if ('failure' in outcome) throw new Error(outcome.failure)
      return outcome.result
    } finally {
      clearInterval(check)
    }
  }

  async #endIfSlow(worker: Worker): Promise<void> {
    // rejects when the thread has ended since
    const used = await worker.cpuUsage().catch(() => undefined)
    if (used === undefined) return
    const spentMs = (used.user + used.system) / 1000 - this.#cpuMsBefore
    if (spentMs > this.#limits.cpuMs) await this.#end(new ThreadOverrun('time'), worker)
  }

  async #running(): Promise<Worker> {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(this.#script, {
      // nothing of the server's environment
      env: {},
      workerData: this.#workerData,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMegabytes, maxYoungGenerationSizeMb: 16 },
    })
    worker.unref()
    worker.on('message', (reply: ThreadReply<Result>) => {
      this.#cpuMsBefore = reply.cpuMs
      this.#pending?.resolve(reply)
    })
    worker.on('error', (error) => {
      const isFull = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
      void this.#end(isFull ? new ThreadOverrun('memory') : (error as Error), worker)
    })
    worker.on('exit', () => void this.#end(new Error('the thread has ended'), worker))
    this.#worker = worker
    await this.#reply(startMs, new Error('the thread does not start'), () => {})
    return worker
  }

  /** A thread that does not reply in time is terminated. */
  async #reply(limitMs: number, late: Error, send: () => void): Promise<ThreadReply<Result>> {
    const pending = Promise.withResolvers<ThreadReply<Result>>()
    this.#pending = pending
    const timer = setTimeout(() => void this.#end(late), limitMs)
    try {
      send()
      return await pending.promise
    } finally {
      clearTimeout(timer)
      this.#pending = undefined
    }
  }

  async #end(reason: Error, worker = this.#worker): Promise<void> {
    if (worker === undefined || worker !== this.#worker) return
    this.#worker = undefined
    this.#pending?.reject(reason)
    await worker.terminate()
  }
}
