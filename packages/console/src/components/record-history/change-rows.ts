import type { AuditChanges } from '@wharf/contract'

export interface ChangeRow {
  readonly field: string
  /** Undefined for no value. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** A row for each changed field, with its values as text. */
export const changeRows = (changes: AuditChanges | undefined): ChangeRow[] =>
  Object.entries(changes ?? {}).map(([field, { before, after }]) => ({
    field,
    before: valueText(before),
    after: valueText(after),
  }))

/** A list has a line for each value. A text is shown without quotes, unless it would be invisible. */
function valueText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value) && value.length > 0) return value.map((one) => valueText(one) ?? 'null').join(',\n')
  if (typeof value !== 'string') return JSON.stringify(unescaped(value))
  if (value.trim() === '') return JSON.stringify(value)
  // a system tag has its JSON after its name
  const [, name = '', json = ''] = /^(\w+::)?([{[].*)$/s.exec(value) ?? []
  const parsed = parsedJson(json)
  return parsed === undefined ? value : `${name}${JSON.stringify(unescaped(parsed))}`
}

/** JSON within a text of JSON becomes a part of it: no quotes are escaped. */
function unescaped(value: unknown): unknown {
  if (typeof value === 'string') return /^[{[]/.test(value) ? (unescaped(parsedJson(value)) ?? value) : value
  if (Array.isArray(value)) return value.map(unescaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unescaped(one)]))
}

/** Undefined for a text that is not exactly what the parsed value is written as, such as one with large integers. */
function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
