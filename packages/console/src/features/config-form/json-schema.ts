export type JsonObject = { readonly [name: string]: unknown }
export type JsonSchema = JsonObject

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The kinds of fields; everything else is edited as JSON. */
export type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'object' | 'array' | 'json'

const kinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
}

/** With these keywords a value depends on more than its type, so it is edited as JSON. */
const branching = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'patternProperties', 'prefixItems']

export function kindOf(schema: JsonSchema): Kind {
  if (branching.some((word) => schema[word] !== undefined)) return 'json'
  if (isChoice(schema.enum)) return 'choice'
  const kind = kinds[typeof schema.type === 'string' ? schema.type : ''] ?? 'json'
  if (kind === 'object') return isObject(schema.properties) ? 'object' : 'json'
  if (kind === 'array') return isObject(schema.items) ? 'array' : 'json'
  return kind
}

const isChoice = (values: unknown): boolean =>
  Array.isArray(values) && values.every((value) => ['string', 'number', 'boolean'].includes(typeof value))

/** Resolves `$ref` within the schema; a circular reference accepts any value. */
export function resolved(schema: unknown, root: JsonSchema): JsonSchema {
  let current = isObject(schema) ? schema : {}
  for (let steps = 0; typeof current.$ref === 'string' && steps < 16; steps++) {
    const { $ref, ...beside } = current
    const target = pointed(root, String($ref))
    if (!isObject(target)) return {}
    current = { ...target, ...beside }
  }
  return current.$ref === undefined ? current : {}
}

function pointed(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#/')) return reference === '#' ? root : undefined
  const parts = reference.slice(2).split('/')
  return parts.reduce<unknown>((at, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}

export interface Property {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

export function propertiesOf(schema: JsonSchema, root: JsonSchema): Property[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    schema: resolved(inner, root),
    isRequired: required.includes(name),
  }))
}

export function parseObject(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Any value may be secret, depending on the schema. */
export const hasSecrets = (schema: JsonSchema): boolean =>
  /"writeOnly":true|"format":"password"/.test(JSON.stringify(schema))
