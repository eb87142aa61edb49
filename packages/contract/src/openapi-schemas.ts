import type { TProperties } from 'typebox'
import { fieldDescriptions } from './field-descriptions.ts'
import { inventories } from './operations.ts'
import { isOptional } from './type.ts'

export type Json = { [key: string]: unknown }

/** In a request, required text is not empty; in an answer, `writeOnly` fields are shown. */
type Place = 'request' | 'answer'

const inventoryNames = new Set(inventories.map((inventory) => inventory.name))
/** Keywords for the server only; the name of a component is its key. */
const internal = new Set(['x-verbatim', 'x-timestamp', 'title'])

const zoneOfTimes = 'In UTC, or in the zone of the response header X-Time-Zone'

export const reference = (kind: 'schemas' | 'responses' | 'parameters', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

export const requiredNames = (fields: TProperties): string[] =>
  Object.keys(fields).filter((name) => !isOptional(fields[name]))

/** A record of a list is complete; with the parameter `fields` it has only some fields, which is a component of its own. */
function recordReference({ title, required }: Json): Json {
  const complete = reference('schemas', String(title))
  return Array.isArray(required) ? complete : { anyOf: [complete, reference('schemas', `Partial${title}`)] }
}

/** A schema as published: records by reference, without internal keywords. */
function published(schema: object, since: string, place: Place): Json {
  const source = schema as Json
  return inventoryNames.has(String(source.title)) ? recordReference(source) : spelledOut(source, since, place)
}

function spelledOut(source: Json, since: string, place: Place): Json {
  const shown: Json = {}
  for (const [word, value] of Object.entries(source)) {
    // a later version may return further fields
    if (place === 'answer' && word === 'additionalProperties' && value === false) continue
    if (internal.has(word) || (word === 'writeOnly' && place === 'answer')) continue
    if (word === 'properties') shown[word] = properties(value as TProperties, since, place)
    else if (word === 'anyOf') shown[word] = (value as object[]).map((one) => published(one, since, place))
    else if ((word === 'items' || word === 'additionalProperties') && typeof value === 'object' && value !== null)
      shown[word] = published(value, since, place)
    else shown[word] = value
  }
  if (source['x-timestamp'] === true) shown.examples = ['Nov 5, 2026 1:02:03 AM']
  return shown
}

/** Its own, or that of its name. */
export function descriptionOf(name: string, source: Json): string {
  const about = source.description ?? (Object.hasOwn(fieldDescriptions, name) ? fieldDescriptions[name] : undefined)
  return [about, source['x-timestamp'] === true && zoneOfTimes].filter(Boolean).join('. ')
}

export function field(name: string, schema: object, since: string, place: Place, required: boolean): Json {
  const shown = published(schema, since, place)
  const description = descriptionOf(name, schema as Json)
  if (description !== '') shown.description = description
  const unbounded = shown.type === 'string' && !('pattern' in shown) && !('enum' in shown)
  if (place === 'request' && required && unbounded) shown.minLength ??= 1
  return { ...shown, 'x-since': shown['x-since'] ?? since }
}

const properties = (fields: TProperties, since: string, place: Place): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, field(name, schema, since, place, !isOptional(schema))]),
  )

/** A request has exactly these fields; a response may have further ones in later versions. */
export function objectOf(fields: TProperties, since: string, place: Place): Json {
  const required = requiredNames(fields)
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: properties(fields, since, place),
    ...(place === 'request' ? { additionalProperties: false } : {}),
  }
}

const partialOf = (name: string): string => `With the parameter fields: only the requested fields of ${name}`

/** Each record, and once more without required fields when a query returns it. */
export function inventorySchemas(queried: ReadonlySet<string>): Json {
  const schemas: Json = {}
  for (const { name, since, schema } of inventories) {
    const whole = objectOf(schema.properties, since, 'answer')
    const { required: _, ...selection } = whole
    schemas[name] = whole
    if (queried.has(name)) schemas[`Partial${name}`] = { description: partialOf(name), ...selection }
  }
  return schemas
}
