import { isOptional, normalizeUuid, uuidPattern } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'

type Schema = Record<string, unknown>

export const controlCharacters = /\p{Cc}/u

/** Trims text, removes absent values, and rejects control characters, before the schema validates. */
export function normalizeFields(
  fields: Record<string, unknown>,
  schemas: Record<string, Schema>,
): Record<string, unknown> {
  const normalized: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    // null means absent; a required field is then reported as missing
    if (value === null || value === undefined) continue
    const text = normalizeValue(name, value, schemas[name] ?? {})
    if (text !== '' || !isOptional(schemas[name])) normalized[name] = text
  }
  return normalized
}

const itemsOf = (schema: Schema): Schema => (schema.items as Schema | undefined) ?? {}

function normalizeValue(name: string, value: unknown, schema: Schema): unknown {
  // no schema declares nested lists, so validation rejects them at any depth
  if (Array.isArray(value))
    return value.map((item) => (Array.isArray(item) ? item : normalizeValue(name, item, itemsOf(schema))))
  if (typeof value === 'object' && value !== null && isTextMap(schema)) return normalizeMap(name, value, schema)
  if (typeof value !== 'string') return value
  const verbatim = schema['x-verbatim'] === true
  if (!value.isWellFormed() || (verbatim ? value.includes('\0') : controlCharacters.test(value)))
    throw invalid(`${name} contains control characters, or characters that are not text`)
  // the value of a condition includes spaces after its operator; a leading space in sort is a plus
  if (verbatim || name === 'q' || name === 'sort') return value
  const trimmed = value.trim()
  return schema.pattern === uuidPattern ? normalizeUuid(trimmed) : trimmed
}

const isTextMap = ({ type, additionalProperties }: Schema): boolean =>
  type === 'object' && (additionalProperties as Schema | undefined)?.type === 'string'

/** The names are validated by the schema. */
const normalizeMap = (name: string, map: object, { additionalProperties }: Schema): object =>
  Object.fromEntries(
    Object.entries(map).map(([key, value]) => [
      key,
      normalizeValue(`${name}.${key.slice(0, 64)}`, value, additionalProperties as Schema),
    ]),
  )
