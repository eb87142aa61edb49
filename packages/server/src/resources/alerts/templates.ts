import { Worker } from 'node:worker_threads'
import { templateLimits } from './template-limits.ts'
import type { TemplateOrder, TemplateReply } from './template-worker.ts'

/** The template is at fault; the message says why, in the middle of a sentence. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure'
}

/** Loading Liquid takes a moment, on a busy machine several. */
const startMs = 20_000

interface Asked {
  readonly reply: (reply: TemplateReply) => void
  readonly fail: (error: Error) => void
}

/** Liquid templates, rendered in a thread, one at a time. It starts with the first. */
export class Templates {
  #worker: Worker | undefined
  #asked: Asked | undefined
  /** Processor time of the thread before what it does now. */
  #spentMs = 0
  #turn: Promise<unknown> = Promise.resolve()

  /** Starts the thread if there is none: whoever measures a template need not measure that. */
  ready(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#running()
    })
  }

  render(template: string, scope: object): Promise<string> {
    return this.#inTurn(() => this.#render({ template, scope }))
  }

  async close(): Promise<void> {
    await this.#end(new Error('the thread of the templates was stopped'))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work)
    this.#turn = mine.catch(() => {})
    return mine
  }

  async #render(order: TemplateOrder): Promise<string> {
    const worker = await this.#running()
    const tooLong = new TemplateFailure(`it takes longer than ${templateLimits.renderMs} ms`)
    const look = setInterval(() => void this.#endIfSlow(worker, tooLong), templateLimits.lookMs)
    try {
      const { outcome } = await this.#ask(templateLimits.stopMs, tooLong, () => worker.postMessage(order))
      if (outcome === undefined) throw new Error('the thread of the templates answers what it was not asked')
      if ('failure' in outcome) throw new TemplateFailure(outcome.failure)
      // neither engine stores NUL, and half a character is none
      return outcome.text.replaceAll('\0', '').toWellFormed().trim()
    } finally {
      clearInterval(look)
    }
  }

  async #endIfSlow(worker: Worker, tooLong: Error): Promise<void> {
    // one that has ended since cannot tell
    const used = await worker.cpuUsage().catch(() => undefined)
    if (used === undefined) return
    const spentMs = (used.user + used.system) / 1000 - this.#spentMs
    if (spentMs > templateLimits.cutOffMs) await this.#end(tooLong, worker)
  }

  async #running(): Promise<Worker> {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(new URL('./template-worker.ts', import.meta.url), {
      // nothing of the server's environment, and no more memory than a template may need
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: templateLimits.heapMegabytes, maxYoungGenerationSizeMb: 16 },
    })
    worker.unref()
    worker.on('message', (reply: TemplateReply) => {
      this.#spentMs = reply.spentMs
      this.#asked?.reply(reply)
    })
    worker.on('error', (error) => {
      const isFull = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
      void this.#end(isFull ? new TemplateFailure('it needs too much memory') : (error as Error), worker)
    })
    worker.on('exit', () => void this.#end(new Error('the thread of the templates has ended'), worker))
    this.#worker = worker
    await this.#ask(startMs, new Error('the thread of the templates does not start'), () => {})
    return worker
  }

  /** Whoever does not answer in time is ended, thread and all. */
  async #ask(limitMs: number, tooLong: Error, send: () => void): Promise<TemplateReply> {
    const { promise, resolve, reject } = Promise.withResolvers<TemplateReply>()
    this.#asked = { reply: resolve, fail: reject }
    const timer = setTimeout(() => void this.#end(tooLong), limitMs)
    try {
      send()
      return await promise
    } finally {
      clearTimeout(timer)
      this.#asked = undefined
    }
  }

  async #end(why: Error, worker = this.#worker): Promise<void> {
    if (worker === undefined || worker !== this.#worker) return
    this.#worker = undefined
    this.#asked?.fail(why)
    await worker.terminate()
  }
}
