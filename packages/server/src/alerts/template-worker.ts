import { parentPort } from 'node:worker_threads'
import { Liquid } from 'liquidjs'
import { templateLimits } from './template-limits.ts'

/** A thread of its own: whoever started it ends it when a template does not come to its end. */

export interface TemplateOrder {
  readonly template: string
  readonly scope: object
}

export type TemplateReply = 'ready' | { readonly text: string } | { readonly failure: string }

const engine = new Liquid({
  // no prototypes, no files
  ownPropertyOnly: true,
  templates: {},
  relativeReference: false,
  // a misspelt filter is told, a label that an alert does not have is nothing
  strictFilters: true,
  parseLimit: templateLimits.templateLength,
  renderLimit: templateLimits.renderMs,
  memoryLimit: templateLimits.memory,
  timezoneOffset: 0,
  locale: 'en',
})
// they read other templates, and there are none
for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]

function answer({ template, scope }: TemplateOrder): TemplateReply {
  try {
    const text = String(engine.parseAndRenderSync(template, scope))
    return Buffer.byteLength(text) > templateLimits.outputBytes
      ? { failure: `it makes more than ${templateLimits.outputBytes / 1024} KiB` }
      : { text }
  } catch (error) {
    return { failure: wordsOf(error) }
  }
}

const limits: Readonly<Record<string, string>> = {
  'template render limit exceeded': `it takes longer than ${templateLimits.renderMs} ms`,
  'memory alloc limit exceeded': 'it needs too much memory',
  'parse length limit exceeded': `it is longer than ${templateLimits.templateLength} characters`,
}

/** The first line says what is wrong and where; the others repeat the template. */
function wordsOf(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
  const known = Object.entries(limits).find(([words]) => line.includes(words))
  return known?.[1] ?? line.slice(0, 300).toWellFormed()
}

parentPort?.on('message', (order: TemplateOrder) => parentPort?.postMessage(answer(order)))
parentPort?.postMessage('ready' satisfies TemplateReply)
