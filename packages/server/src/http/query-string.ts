import { ApiError, invalid } from '@wharf/platform/api-error.ts'

export type QueryValues = Map<string, string[]>

/** `a=1&a=2` and `a.0=1&a.1=2` both mean a list; `+` and `%20` are spaces. Commas are part of the value. */
export function readQueryString(text: string): QueryValues {
  const values: QueryValues = new Map()
  if (text === '') return values
  const indexed: [name: string, index: number, value: string][] = []
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    const numbered = name.includes('.') ? /^(\w+)\.(\d{1,4})$/.exec(name) : null
    if (numbered) indexed.push([numbered[1] ?? '', Number(numbered[2]), value])
    else append(values, name, value)
  }
  for (const [name, , value] of indexed.sort((a, b) => a[1] - b[1])) append(values, name, value)
  return values
}

function append(values: QueryValues, name: string, value: string): void {
  const list = values.get(name)
  if (list) list.push(value)
  else values.set(name, [value])
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid('the query string has a broken % escape')
  }
}

/** A text of the query in the type that the field declares. Nothing is guessed: `0x10` is not a number. */
export function convert(name: string, values: string[], schema: Record<string, unknown>): unknown {
  if (schema.type === 'array') {
    const items = schema.items as Record<string, unknown>
    return values.map((value) => convertOne(name, value, items))
  }
  const [first = ''] = values
  if (values.some((value) => value !== first)) throw invalid(`${name} may be given only once`)
  return convertOne(name, first, schema)
}

function convertOne(name: string, value: string, schema: Record<string, unknown>): unknown {
  if (schema.type === 'integer') {
    if (!/^-?\d{1,16}$/.test(value)) throw invalid(`${name} must be a whole number`)
    return Number(value)
  }
  if (schema.type === 'boolean') {
    const lower = value.toLowerCase()
    if (lower !== 'true' && lower !== 'false') throw invalid(`${name} must be true or false`)
    return lower === 'true'
  }
  return value
}

/** Unsupported features of other platforms, with the alternative: rejected instead of ignored. */
export const unsupported = new Map([
  ['filterName', 'use q'],
  ['groupBy', 'query with q and group the records yourself'],
])

export function refuseUnsupported(name: string): void {
  const instead = unsupported.get(name)
  if (instead !== undefined) throw new ApiError('SYS.1014', `${name} is not supported; ${instead}`)
}
