import { isObject, type JsonSchema, kindOf, propertiesOf, resolved } from './json-schema.ts'
import { UnreadableJson } from './unreadable-json.ts'

/** A broken rule and its limit. */
export interface Problem {
  readonly rule:
    | 'required'
    | 'number'
    | 'integer'
    | 'minimum'
    | 'maximum'
    | 'minLength'
    | 'maxLength'
    | 'pattern'
    | 'minItems'
    | 'maxItems'
    | 'json'
  readonly limit?: string | number
}

/** By the path of the field: `storage.disks.0.path`. */
export type Problems = ReadonlyMap<string, Problem>

type Report = (path: string, problem: Problem) => void

/** Checks the rules that a form can break; the server validates the complete schema. */
export function problemsOf(value: unknown, schema: JsonSchema): Problems {
  const problems = new Map<string, Problem>()
  const report: Report = (path, problem) => problems.has(path) || problems.set(path, problem)
  unreadable(value, '', report)
  validate(value, schema, schema, '', report)
  return problems
}

const within = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)

/** Searches the whole value, also where the schema is too complex for fields. */
function unreadable(value: unknown, path: string, report: Report): void {
  if (value instanceof UnreadableJson) report(path, { rule: 'json' })
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) unreadable(inner, within(path, name), report)
}

function validate(value: unknown, schema: JsonSchema, root: JsonSchema, path: string, report: Report): void {
  const at = (name: string | number): string => within(path, name)
  const kind = kindOf(schema)
  if (kind === 'object') {
    const fields = isObject(value) ? value : {}
    for (const { name, schema: inner, isRequired } of propertiesOf(schema, root)) {
      const one = fields[name]
      if (one !== undefined) validate(one, inner, root, at(name), report)
      else if (isRequired) report(at(name), { rule: 'required' })
    }
  } else if (kind === 'array' && Array.isArray(value)) {
    const items = resolved(schema.items, root)
    for (const [index, one] of value.entries())
      if (one === undefined) report(at(index), { rule: 'required' })
      else validate(one, items, root, at(index), report)
    limits(value.length, schema, ['minItems', 'maxItems'], path, report)
  } else if (kind === 'number' || kind === 'integer') {
    if (typeof value !== 'number') report(path, { rule: 'number' })
    else if (kind === 'integer' && !Number.isInteger(value)) report(path, { rule: 'integer' })
    else limits(value, schema, ['minimum', 'maximum'], path, report)
  } else if (kind === 'text' && typeof value === 'string') {
    limits([...value].length, schema, ['minLength', 'maxLength'], path, report)
    if (typeof schema.pattern === 'string' && !fits(value, schema.pattern))
      report(path, { rule: 'pattern', limit: schema.pattern })
  }
}

function limits<R extends Problem['rule']>(
  count: number,
  schema: JsonSchema,
  [low, high]: readonly [R, R],
  path: string,
  report: Report,
) {
  const [least, most] = [schema[low], schema[high]]
  if (typeof least === 'number' && count < least) report(path, { rule: low, limit: least })
  if (typeof most === 'number' && count > most) report(path, { rule: high, limit: most })
}

function fits(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // a pattern that this browser does not support is left to the server
    return true
  }
}

/** Parses the error of the server by field: `config.disks.0: path is missing; config.size must be number`. */
export function serverProblems(details: string): ReadonlyMap<string, string> {
  const list = details.replace(/ \(request [^)]*\)$/, '').replace(/^.*?installSoftwarePackage\.config: /s, '')
  const problems = list.split('; ').flatMap((problem): [string, string][] => {
    const missing = /^config((?:\.[^ .:]+)*): (.+) is missing$/.exec(problem)
    if (missing) return (missing[2] ?? '').split(', ').map((name) => [`${missing[1] ?? ''}.${name}`.slice(1), problem])
    const other = /^config((?:\.[^ .:]+)*):? (.+)$/.exec(problem)
    return other ? [[(other[1] ?? '').slice(1), other[2] ?? '']] : []
  })
  return new Map(problems)
}
