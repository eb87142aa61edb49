import type { Operation } from '@wharf/contract'
import { IsOptional, type TSchema } from 'typebox'

type Schema = Record<string, unknown>
type Present = (value: unknown) => unknown

/**
 * Turns what a handler returns into what is sent: every declared field, null where unknown, times written out,
 * nothing undeclared. Worked out once per operation from its answer's schema.
 */
export function answerPresenter(
  operation: Operation,
  formatTimestamp: (ms: number) => string,
): (answer: object) => object {
  if (operation.answer === 'empty') return () => ({})
  const present = objectPresenter(operation.answer as Record<string, Schema>, formatTimestamp)
  return (answer) => {
    const body = present(answer) as Record<string, unknown>
    body.success = true
    body.error = null
    return body
  }
}

function presenter(schema: Schema, formatTimestamp: (ms: number) => string): Present {
  if (schema['x-timestamp']) return (value) => (typeof value === 'number' ? formatTimestamp(value) : null)
  const alternatives = schema.anyOf as Schema[] | undefined
  if (alternatives) return presenter(alternatives.find((one) => one.type !== 'null') ?? {}, formatTimestamp)
  if (schema.type === 'array') {
    const item = presenter(schema.items as Schema, formatTimestamp)
    return (value) => (Array.isArray(value) ? value.map(item) : [])
  }
  if (schema.properties) return objectPresenter(schema.properties as Record<string, Schema>, formatTimestamp)
  if (schema.patternProperties) {
    const [valueSchema = {}] = Object.values(schema.patternProperties as Record<string, Schema>)
    const one = presenter(valueSchema, formatTimestamp)
    return (value) => Object.fromEntries(Object.entries((value as object | null) ?? {}).map(([k, v]) => [k, one(v)]))
  }
  return (value) => value ?? null
}

function objectPresenter(properties: Record<string, Schema>, formatTimestamp: (ms: number) => string): Present {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    optional: IsOptional(schema as unknown as TSchema),
    present: presenter(schema, formatTimestamp),
  }))
  return (value) => {
    if (value === null || value === undefined) return null
    const from = value as Record<string, unknown>
    const to: Record<string, unknown> = {}
    for (const { name, optional, present } of fields) {
      const given = from[name]
      if (given !== undefined || !optional) to[name] = present(given)
    }
    return to
  }
}

/** The answer as a repeated call may see it: what is shown once has been shown. */
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
