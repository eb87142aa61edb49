import { UsageError } from '../errors.ts'

/** A value in a JSON text. */
type Json = unknown
/** Selects values from each given value. */
type Step = (value: Json) => readonly Json[]

const hint = `such as '{.items[*].name}'; supported are fields, [0], [-1], [0:2], [*], [?(@.field=="value")] and {"\\n"}`

/** Compiles the subset of kubectl's templates without range: text, and paths in braces. */
export function compileJsonPath(template: string): (value: Json) => string {
  if (template === '') throw new UsageError('-o jsonpath= requires a template', hint)
  const isBarePath = /^[.$[]/.test(template) && !template.includes('{')
  const parts = isBarePath
    ? [compileExpression(template)]
    : [...template.matchAll(/\{((?:"[^"]*"|'[^']*'|[^}"'])*)\}|([^{]+|\{)/g)].map(([part, expression, text]) => {
        if (expression !== undefined) return compileExpression(expression)
        if (text === '{') throw invalid(template, 'a brace is not closed')
        return () => part
      })
  return (value) => `${parts.map((part) => part(value)).join('')}\n`
}

const invalid = (path: string, fact: string): UsageError => new UsageError(`invalid jsonpath ${path}: ${fact}`, hint)

function compileExpression(expression: string): (value: Json) => string {
  const text = expression.trim()
  if (/^(range|end)\b/.test(text)) throw invalid(`{${text}}`, 'range is not supported; use [*], or jq with -o json')
  if (/^".*"$/s.test(text)) {
    const literal = parseText(text)
    return () => literal
  }
  const steps = compilePath(text)
  return (value) => {
    const found = steps.reduce<readonly Json[]>((values, step) => values.flatMap(step), [value])
    return found
      .filter((one) => one !== undefined && one !== null)
      .map(textOf)
      .join(' ')
  }
}

const textOf = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function parseText(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw invalid(quoted, 'not a quoted text')
  }
}

const step =
  /^(?:\.(?<field>[\w-]+)|\[(?:(?<index>-?\d+)|(?<from>-?\d*):(?<to>-?\d*)|'(?<quoted>[^']*)'|(?<all>\*)|\?\((?<filter>.*?)\))\]|(?<fields>\.\*))/

function compilePath(path: string): Step[] {
  const steps: Step[] = []
  let rest = path.replace(/^[$@]/, '')
  if (rest === '' || rest === '.') return steps
  if (/^\w/.test(rest)) rest = `.${rest}`
  while (rest !== '') {
    const found = step.exec(rest)
    if (found?.groups === undefined) throw invalid(path, `cannot read ${rest}`)
    steps.push(stepOf(path, found.groups))
    rest = rest.slice(found[0].length)
  }
  return steps
}

function stepOf(path: string, parts: Partial<Record<string, string>>): Step {
  const { field = parts.quoted, index, from, to, filter } = parts
  if (field !== undefined) return (value) => [fieldOf(value, field)]
  if (index !== undefined) return (value) => [itemsOf(value).at(Number(index))]
  if (filter !== undefined) return compileFilter(path, filter)
  if (from !== undefined && to !== undefined)
    return (value) => itemsOf(value).slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to))
  return itemsOf
}

const fieldOf = (value: Json, name: string): Json =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, Json>)[name]
    : undefined

const itemsOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : []

const comparisons: Readonly<Record<string, (a: Json, b: Json) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<=': (a, b) => Number(a) <= Number(b),
  '>=': (a, b) => Number(a) >= Number(b),
  '<': (a, b) => Number(a) < Number(b),
  '>': (a, b) => Number(a) > Number(b),
}

/** `@.status=="Connected"`, or `@.field` for values that have it. */
function compileFilter(path: string, filter: string): Step {
  const [, left = '', operator, right = ''] =
    /^\s*(@[^=!<>]*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*$/s.exec(filter) ?? []
  if (!left.startsWith('@')) throw invalid(path, `cannot read the filter ${filter}`)
  const steps = compilePath(left)
  const valueIn = (item: Json): Json => steps.reduce<readonly Json[]>((values, one) => values.flatMap(one), [item])[0]
  const compare = comparisons[operator ?? '']
  if (compare === undefined) return (value) => itemsOf(value).filter((item) => (valueIn(item) ?? null) !== null)
  const expected = parseText(right.replace(/^'(.*)'$/s, '"$1"'))
  return (value) => itemsOf(value).filter((item) => compare(valueIn(item), expected))
}
