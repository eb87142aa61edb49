import { isObject, type JsonObject, type JsonSchema, kindOf, propertiesOf, resolved } from './json-schema.ts'

/** A form that refers to itself would have no end. */
const maxDepth = 8

/** What a form begins with: the defaults of the schema, and the fields of an object that has to be there. */
export function startValue(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (kindOf(schema) !== 'object' || depth > maxDepth) return undefined
  const inner = propertiesOf(schema, root).map(
    ({ name, schema: one }) => [name, startValue(one, root, depth + 1)] as const,
  )
  return Object.fromEntries(inner.filter(([, value]) => value !== undefined))
}

/**
 * What is sent: without the fields that nobody has filled in, and without optional objects in which nothing stands.
 * An empty entry of a list stays as undefined, to be told of: somebody has added it.
 */
export function sentValue(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  if (value === '' || value === undefined) return undefined
  const kind = kindOf(schema)
  if (kind === 'array' && Array.isArray(value)) {
    const items = resolved(schema.items, root)
    return value.map((one) => sentValue(one, items, root))
  }
  if (kind !== 'object' || !isObject(value)) return value
  const known = propertiesOf(schema, root)
  const inner = Object.entries(value).map(([name, one]) => {
    const property = known.find((candidate) => candidate.name === name)
    const sent = property ? sentValue(one, property.schema, root) : one
    const isEmptyPart = isObject(sent) && Object.keys(sent).length === 0 && !property?.isRequired
    return [name, isEmptyPart ? undefined : sent] as const
  })
  return Object.fromEntries(inner.filter(([, one]) => one !== undefined))
}

/** The same object with another value under this name. */
export function withProperty(value: unknown, name: string, next: unknown): JsonObject {
  const { [name]: _, ...others } = isObject(value) ? value : {}
  return next === undefined ? others : { ...others, [name]: next }
}
