import { configProblems, type JsonSchema } from '@wharf/archives/config-check.ts'
import { serveTasks } from '@wharf/platform/bounded-thread-worker.ts'
import { Liquid, type Template } from 'liquidjs'
import { configLimits } from './config-limits.ts'

/** The script of the thread that `ConfigRenderer` terminates when a template does not end. */

/** The variable `host` of templates. */
export interface HostScope {
  readonly name: string
  readonly address: string
  readonly hostName: string | null
  readonly architecture: string | null
  readonly labels: Readonly<Record<string, string>>
}

export interface RenderTask {
  readonly config: object
  readonly schema: JsonSchema | undefined
  readonly hosts: readonly HostScope[]
}

/** The configuration of one host as JSON, or why it has none. */
export type RenderedConfig = { readonly text: string } | { readonly problem: string }

const engine = new Liquid({
  // no prototypes, no files
  ownPropertyOnly: true,
  templates: {},
  relativeReference: false,
  strictFilters: true,
  // a label that the host does not have must not become an empty value, unless the template has a default
  strictVariables: true,
  lenientIf: true,
  parseLimit: configLimits.templateLength,
  memoryLimit: configLimits.memory,
  timezoneOffset: 0,
  locale: 'en',
})
// these tags read other templates, and none exist
for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]

type Render = (scope: object) => unknown

class TemplateProblem extends Error {}

const describe = (error: unknown, field: string): TemplateProblem => {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
  const [, variable] = /^undefined variable: ([\w.-]+)/.exec(line) ?? []
  if (variable !== undefined)
    return new TemplateProblem(
      `${field}: the host has no ${variable}; set it, or give it a default, such as {{ ${variable} | default: "none" }}`,
    )
  return new TemplateProblem(`${field}: the template is not valid: ${line.slice(0, 300).toWellFormed()}`)
}

/** Parses every string once; each host then only renders. */
function compile(value: unknown, field: string): Render {
  if (typeof value === 'string') return compileText(value, field)
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compile(item, `${field}.${index}`))
    return (scope) => items.map((render) => render(scope))
  }
  if (typeof value !== 'object' || value === null) return () => value
  const fields = Object.entries(value).map(([name, inner]) => [name, compile(inner, `${field}.${name}`)] as const)
  return (scope) => Object.fromEntries(fields.map(([name, render]) => [name, render(scope)]))
}

function compileText(text: string, field: string): Render {
  if (!hasTemplate(text)) return () => text
  const templates: Template[] = (() => {
    try {
      return engine.parse(text)
    } catch (error) {
      throw describe(error, field)
    }
  })()
  return (scope) => {
    try {
      return String(engine.renderSync(templates, scope, { sync: true }))
    } catch (error) {
      throw describe(error, field)
    }
  }
}

const hasTemplate = (text: string): boolean => /\{\{|\{%/.test(text)

function render({ config, schema, hosts }: RenderTask): RenderedConfig[] {
  const rendered = attempt(() => compile(config, 'config'))
  if ('problem' in rendered) return hosts.map(() => rendered)
  return hosts.map((host) => {
    const result = attempt(() => rendered.value({ host }))
    if ('problem' in result) return result
    const text = JSON.stringify(result.value)
    if (Buffer.byteLength(text) > configLimits.outputBytes)
      return { problem: `config renders to more than ${configLimits.outputBytes / 1024} KiB` }
    const problems = schema === undefined ? [] : configProblems(schema, result.value)
    return problems.length === 0 ? { text } : { problem: problems.join('; ') }
  })
}

function attempt<T>(work: () => T): { value: T } | { problem: string } {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof TemplateProblem) return { problem: error.message }
    throw error
  }
}

serveTasks(render)
