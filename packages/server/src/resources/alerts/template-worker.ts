import { serveTasks, threadCpuMs } from '@wharf/platform/bounded-thread-worker.ts'
import { Context, Liquid } from 'liquidjs'
import { defaultTemplate } from './default-template.ts'
import { exampleAlert } from './example-alert.ts'
import { templateLimits } from './template-limits.ts'

/** The script of the thread that `TemplateRenderer` ends when a template does not end. */

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
  // a misspelt filter is told, a label that an alert does not have is nothing
  strictFilters: true,
  parseLimit: templateLimits.templateLength,
  memoryLimit: templateLimits.memory,
  timezoneOffset: 0,
  locale: 'en',
})
// they read other templates, and there are none
for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]

const tooSlow = 'template render limit exceeded'

function render({ template, scope }: RenderTask): RenderResult {
  const until = threadCpuMs() + templateLimits.renderMs
  const refuseSlow = (): void => {
    if (threadCpuMs() > until) throw new Error(tooSlow)
  }
  try {
    const context = new Context(scope, engine.options, { sync: true }, { liquid: engine })
    // Liquid's own limit goes by the clock
    context.renderLimit.check = refuseSlow
    const text = String(engine.parseAndRenderSync(template, context))
    refuseSlow()
    return Buffer.byteLength(text) > templateLimits.outputBytes
      ? { failure: `it makes more than ${templateLimits.outputBytes / 1024} KiB` }
      : { text }
  } catch (error) {
    return { failure: wordsOf(error) }
  }
}

const limits: Readonly<Record<string, string>> = {
  [tooSlow]: `it takes longer than ${templateLimits.renderMs} ms`,
  'memory alloc limit exceeded': 'it needs too much memory',
  'parse length limit exceeded': `it is longer than ${templateLimits.templateLength} characters`,
}

/** The first line says what is wrong and where; the others repeat the template. */
function wordsOf(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
  const known = Object.entries(limits).find(([words]) => line.includes(words))
  return known?.[1] ?? line.slice(0, 300).toWellFormed()
}

// Liquid's first rendering takes long, which is no template's fault
render({ template: defaultTemplate, scope: { alert: exampleAlert, platform: {} } })
serveTasks(render)
