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
  #turn: Promise<unknown> = Promise.resolve()

  render(template: string, scope: object): Promise<string> {
    const mine = this.#turn.then(() => this.#render({ template, scope }))
    this.#turn = mine.catch(() => {})
    return mine
  }

  async close(): Promise<void> {
    await this.#end(new Error('the thread of the templates was stopped'))
  }

  async #render(order: TemplateOrder): Promise<string> {
    if (this.#worker === undefined) await this.#start()
    const tooLong = new TemplateFailure(`it takes longer than ${templateLimits.renderMs} ms`)
    const reply = await this.#ask(templateLimits.hardMs, tooLong, () => this.#worker?.postMessage(order))
    if (reply === 'ready') throw new Error('the thread of the templates answers what it was not asked')
    if ('failure' in reply) throw new TemplateFailure(reply.failure)
    // neither engine stores NUL, and half a character is none
    return reply.text.replaceAll('\0', '').toWellFormed().trim()
  }

  async #start(): Promise<void> {
    const worker = new Worker(new URL('./template-worker.ts', import.meta.url), {
      // nothing of the server's environment, and no more memory than a template may need
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: templateLimits.heapMegabytes, maxYoungGenerationSizeMb: 16 },
    })
    worker.unref()
    worker.on('message', (reply: TemplateReply) => this.#asked?.reply(reply))
    worker.on('error', (error) => {
      const isFull = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
      void this.#end(isFull ? new TemplateFailure('it needs too much memory') : (error as Error), worker)
    })
    worker.on('exit', () => void this.#end(new Error('the thread of the templates has ended'), worker))
    this.#worker = worker
    await this.#ask(startMs, new Error('the thread of the templates does not start'), () => {})
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
