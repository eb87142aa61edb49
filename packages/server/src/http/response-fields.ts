import { isOptional, type Operation } from '@wharf/contract'
import { RowList } from '@wharf/database/row-list.ts'
import { listMapper, type MappedField, objectMapper } from '@wharf/platform/object-shape.ts'
import { oncePerNames } from '@wharf/platform/shared-names.ts'
import type { TSchema } from 'typebox'

type Schema = Record<string, unknown>
type MapValue = (value: unknown) => unknown

/**
 * Turns the result of a handler into the response: every declared field, null where unknown, times formatted, nothing
 * undeclared. Derived from the schema at the first response, to keep the start fast.
 */
export function responseMapper(
  operation: Operation,
  formatTimestamp: (ms: number) => string,
): (answer: object) => object {
  if (operation.answer === 'empty') return () => ({})
  const envelope = { success: {}, error: {} }
  let map: MapValue | undefined
  return (answer) => {
    map ??= fieldsMapper({ ...(operation.answer as Record<string, Schema>), ...envelope }, formatTimestamp)
    const body = map(answer) as Record<string, unknown>
    body.success = true
    return body
  }
}

/** Undefined when a value is sent unchanged. */
function valueMapper(schema: Schema, formatTimestamp: (ms: number) => string): MapValue | undefined {
  if (schema['x-timestamp']) return (value) => (typeof value === 'number' ? formatTimestamp(value) : null)
  if (schema['x-amount']) return (value) => (/^\d+$/.test(String(value)) ? Number(value) : value)
  const alternatives = schema.anyOf as Schema[] | undefined
  if (alternatives) return valueMapper(alternatives.find((one) => one.type !== 'null') ?? {}, formatTimestamp)
  if (schema.type === 'array') return itemsMapper(schema.items as Schema, formatTimestamp)
  if (schema.properties) return fieldsMapper(schema.properties as Record<string, Schema>, formatTimestamp)
  const named = schema.patternProperties as Record<string, Schema> | undefined
  // a map: its keys are unknown, its values are declared
  const valueSchema = named ? Object.values(named)[0] : schema.additionalProperties
  if (typeof valueSchema === 'object' && valueSchema !== null) {
    const one = valueMapper(valueSchema as Schema, formatTimestamp)
    if (one === undefined) return (value) => value ?? {}
    return (value) => Object.fromEntries(Object.entries((value as object | null) ?? {}).map(([k, v]) => [k, one(v)]))
  }
  return undefined
}

/** Of a list, or of the rows of a page, from which the records of the response are created directly. */
function itemsMapper(items: Schema, formatTimestamp: (ms: number) => string): MapValue {
  const item = valueMapper(items, formatTimestamp)
  const properties = items.properties as Record<string, Schema>
  const rowMapper = oncePerNames((names) => listMapper(mappedFields(properties, formatTimestamp), names))
  return (value) => {
    if (value instanceof RowList) return value.lists.map(rowMapper(value.names))
    if (!Array.isArray(value)) return []
    return item ? value.map(item) : value
  }
}

const mappedFields = (properties: Record<string, Schema>, formatTimestamp: (ms: number) => string): MappedField[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    optional: isOptional(schema as unknown as TSchema),
    convert: valueMapper(schema, formatTimestamp),
  }))

function fieldsMapper(properties: Record<string, Schema>, formatTimestamp: (ms: number) => string): MapValue {
  const make = objectMapper(mappedFields(properties, formatTimestamp))
  return (value) => (value === null || value === undefined ? null : make(value as object))
}

/** The answer for a repeated call: without secrets that are shown once. */
export function withoutShownOnce(operation: Operation, answer: object): object {
  if (operation.answer === 'empty') return answer
  return hide(answer, operation.answer as Record<string, Schema>)
}

function hide(value: object, properties: Record<string, Schema>): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const schema = properties[name]
      if (schema?.['x-shown-once']) return [name, null]
      if (schema?.properties && typeof inner === 'object' && inner !== null)
        return [name, hide(inner, schema.properties as Record<string, Schema>)]
      return [name, inner]
    }),
  )
}
