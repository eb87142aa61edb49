import { parentPort } from 'node:worker_threads'
import { Context, Liquid } from 'liquidjs'
import { defaultTemplate } from './default-template.ts'
import { exampleAlert } from './example-alert.ts'
import { templateLimits } from './template-limits.ts'

/** A thread of its own: whoever started it ends it when a template does not come to its end. */

export interface TemplateOrder {
  readonly template: string
  readonly scope: object
}

type Outcome = { readonly text: string } | { readonly failure: string }

/** Without an outcome it says that the thread is ready. */
export interface TemplateReply {
  /** Processor time of this thread since it began. */
  readonly spentMs: number
  readonly outcome?: Outcome
}

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

function spentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const tooSlow = 'template render limit exceeded'

function outcomeOf({ template, scope }: TemplateOrder): Outcome {
  const until = spentMs() + templateLimits.renderMs
  const refuseSlow = (): void => {
    if (spentMs() > until) throw new Error(tooSlow)
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

const reply = (outcome?: Outcome): void =>
  parentPort?.postMessage({ spentMs: spentMs(), ...(outcome && { outcome }) } satisfies TemplateReply)

parentPort?.on('message', (order: TemplateOrder) => reply(outcomeOf(order)))
// once before anybody asks: what Liquid does for the first time takes long, and is no template's fault
outcomeOf({ template: defaultTemplate, scope: { alert: exampleAlert, platform: {} } })
reply()
