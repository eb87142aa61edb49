/**
 * Objects created from a literal have their shape from the start, so V8 builds them, and writes them as JSON, several
 * times faster than objects that grow key by key or have no prototype. The literals are written here, once per
 * statement or operation; the keys come from our own tables and schemas, never from a caller.
 */

/** Creates objects with these keys from lists of values in the same order. */
export function objectFactory(names: readonly string[]): (values: readonly unknown[]) => Record<string, unknown> {
  const fields = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  return new Function('values', `return { ${fields.join(', ')} }`) as (v: readonly unknown[]) => Record<string, unknown>
}

/** The reverse: lists of the values that objects have under these keys, null where they have none. */
export function listFactory(names: readonly string[]): (from: object) => unknown[] {
  const values = names.map((name) => `from[${JSON.stringify(name)}] ?? null`)
  return new Function('from', `return [${values.join(', ')}]`) as (from: object) => unknown[]
}

export interface MappedField {
  readonly name: string
  /** Omitted when undefined; otherwise written as null. */
  readonly optional: boolean
  /** Applied to its values; undefined: they are written as they are. */
  readonly convert: ((value: unknown) => unknown) | undefined
}

/** Creates objects with these fields, in this order and no others, from objects that may have more or fewer. */
export function objectMapper(fields: readonly MappedField[]): (from: object) => Record<string, unknown> {
  const literal = literalOf(fields, (name) => `from[${JSON.stringify(name)}]`)
  const make = new Function('converters', `return (from) => (${literal})`)
  return make(fields.map(({ convert }) => convert)) as (from: object) => Record<string, unknown>
}

/** The same from lists of values, which have these names. */
export function listMapper(
  fields: readonly MappedField[],
  names: readonly string[],
): (values: readonly unknown[]) => Record<string, unknown> {
  const literal = literalOf(fields, (name) => (names.includes(name) ? `values[${names.indexOf(name)}]` : 'undefined'))
  const make = new Function('converters', `return (values) => (${literal})`)
  return make(fields.map(({ convert }) => convert)) as (values: readonly unknown[]) => Record<string, unknown>
}

function literalOf(fields: readonly MappedField[], given: (name: string) => string): string {
  const literal = fields.map(({ name, optional, convert }, index) => {
    const value = given(name)
    const shown = convert ? `converters[${index}](${value})` : optional ? value : `${value} ?? null`
    return `${JSON.stringify(name)}: ${convert && optional ? `${value} === undefined ? undefined : ${shown}` : shown}`
  })
  return `{ ${literal.join(', ')} }`
}
