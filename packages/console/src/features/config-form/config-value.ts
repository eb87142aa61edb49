import {
  hasSecrets,
  isObject,
  type JsonObject,
  type JsonSchema,
  kindOf,
  propertiesOf,
  resolved,
} from './json-schema.ts'

/** Bounds a recursive schema. */
const maxDepth = 8

/** The initial value: the defaults of the schema, and required objects. */
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
 * The value to send, without empty fields and without empty optional objects. An empty item of a list becomes
 * undefined, which the validation reports.
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

/** The value with a placeholder for each secret. Where a field is edited as JSON, any of it may be secret. */
export function withoutSecrets(value: unknown, schema: JsonSchema, root: JsonSchema, name = 'config'): unknown {
  if (value === undefined) return undefined
  const kind = kindOf(schema)
  const isSecret = schema.writeOnly === true || schema.format === 'password'
  if (isSecret || (kind === 'json' && hasSecrets(root))) return `<${name}>`
  if (kind === 'array' && Array.isArray(value)) {
    const items = resolved(schema.items, root)
    return value.map((one) => withoutSecrets(one, items, root, name))
  }
  if (kind !== 'object' || !isObject(value)) return value
  const known = new Map(propertiesOf(schema, root).map((property) => [property.name, property.schema]))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withoutSecrets(one, known.get(key) ?? {}, root, key)]),
  )
}

/** The value with its names, and a placeholder for each text and number: without a schema any of them may be secret. */
export function withPlaceholders(value: unknown, name = 'config'): unknown {
  if (Array.isArray(value)) return value.map((one) => withPlaceholders(one, name))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPlaceholders(one, key)]))
  return typeof value === 'string' || typeof value === 'number' ? `<${name}>` : value
}

export function withProperty(value: unknown, name: string, next: unknown): JsonObject {
  const { [name]: _, ...others } = isObject(value) ? value : {}
  return next === undefined ? others : { ...others, [name]: next }
}

/** Invalid numbers stay as typed and are reported by the validation. */
export function numberIn(text: string): number | string | undefined {
  if (text.trim() === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
