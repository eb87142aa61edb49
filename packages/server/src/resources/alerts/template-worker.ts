import { serveTasks, threadCpuMs } from '@wharf/platform/bounded-thread-worker.ts'
import { Context, Liquid } from 'liquidjs'
import { defaultTemplate } from './default-template.ts'
import { exampleAlert } from './example-alert.ts'
import { templateLimits } from './template-limits.ts'

/** The script of the thread that `TemplateRenderer` terminates when a template does not end. */

export interface RenderTask {
  readonly template: string
  readonly scope: object
}

export type RenderResult = { readonly text: string } | { readonly failure: string }

const engine = new Liquid({
  // no prototypes, no files
  ownPropertyOnly: true,
  templates: {},
  relativeReference: false,
  // an unknown filter is an error, a missing label is empty
  strictFilters: true,
  parseLimit: templateLimits.templateLength,
  memoryLimit: templateLimits.memory,
  timezoneOffset: 0,
  locale: 'en',
})
// these tags read other templates, and none exist
for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]

const tooSlow = 'template render limit exceeded'

function render({ template, scope }: RenderTask): RenderResult {
  const until = threadCpuMs() + templateLimits.renderMs
  const refuseSlow = (): void => {
    if (threadCpuMs() > until) throw new Error(tooSlow)
  }
  try {
    const context = new Context(scope, engine.options, { sync: true }, { liquid: engine })
    // Liquid's own limit measures elapsed time
    context.renderLimit.check = refuseSlow
    const text = String(engine.parseAndRenderSync(template, context))
    refuseSlow()
    return Buffer.byteLength(text) > templateLimits.outputBytes
      ? { failure: `it renders more than ${templateLimits.outputBytes / 1024} KiB` }
      : { text }
  } catch (error) {
    return { failure: failureText(error) }
  }
}

const limits: Readonly<Record<string, string>> = {
  [tooSlow]: `it takes longer than ${templateLimits.renderMs} ms`,
  'memory alloc limit exceeded': 'it needs too much memory',
  'parse length limit exceeded': `it is longer than ${templateLimits.templateLength} characters`,
}

/** The first line has the error and its position; the others repeat the template. */
function failureText(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
  const limit = Object.entries(limits).find(([text]) => line.includes(text))
  return limit?.[1] ?? line.slice(0, 300).toWellFormed()
}

// the first rendering of Liquid is slow, so it must not count for a template
render({ template: defaultTemplate, scope: { alert: exampleAlert, platform: {} } })
serveTasks(render)
