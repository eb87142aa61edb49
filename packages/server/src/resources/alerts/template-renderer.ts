import { BoundedThread, ThreadOverrun } from '@wharf/platform/bounded-thread.ts'
import { templateLimits } from './template-limits.ts'
import type { RenderResult, RenderTask } from './template-worker.ts'

/** An error of the template; the message completes the sentence "the template …: ". */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** Liquid templates, rendered in a thread, one at a time. It starts with the first. */
export class TemplateRenderer {
  readonly #thread = new BoundedThread<RenderTask, RenderResult>(new URL('./template-worker.ts', import.meta.url), {
    cpuMs: templateLimits.cutOffMs,
    wallMs: templateLimits.stopMs,
    heapMegabytes: templateLimits.heapMegabytes,
  })

  /** Starts the thread, so that its start is not measured with a template. */
  ready(): Promise<void> {
    return this.#thread.ready()
  }

  async render(template: string, scope: object): Promise<string> {
    const result = await this.#thread.run({ template, scope }).catch((error: unknown) => {
      if (!(error instanceof ThreadOverrun)) throw error
      const excess =
        error.limit === 'time' ? `takes longer than ${templateLimits.renderMs} ms` : 'needs too much memory'
      throw new TemplateError(`it ${excess}`)
    })
    if ('failure' in result) throw new TemplateError(result.failure)
    // the engines cannot store NUL or a lone surrogate
    return result.text.replaceAll('\0', '').toWellFormed().trim()
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
