import type { Operation } from '@wharf/contract'
import type { SeededRandom } from '../seeded-random.ts'
import type { Schema } from './bad-values.ts'
import type { Fields } from './draft.ts'

const ordered = ['=', '!=', '>', '>=', '<', '<=', '?=', '!?=']
const forText = [...ordered, '~=', '!~=']
const equal = ['=', '!=', '?=', '!?=']

/** The fields of a query: conditions over values of existing records, orders, pages. */
export function queryFieldsFor(
  { path, fields, queries }: Operation,
  seen: readonly Fields[],
  random: SeededRandom,
): Fields {
  const properties = Object.entries((queries?.schema.properties ?? {}) as unknown as Record<string, Schema>)
  const readable = properties.filter(([, schema]) => schema.writeOnly !== true)
  const queried = readable.filter(
    ([, schema]) =>
      schema['x-queried'] !== false && !/array|object/.test(String(schema.type)) && schema.anyOf === undefined,
  )
  const names = readable.map(([name]) => name)
  const some = Array.from({ length: random.between(1, 3) }, () => random.pick(names))
  // heartbeat times change, so any order is accepted
  if (!('q' in fields)) return path.includes('{uuid}') && random.happens(0.4) ? { fields: some.join(',') } : {}
  const conditions = Array.from({ length: random.between(0, 3) }, () => {
    const [name, schema] = random.pick(queried)
    return condition(name, schema, seen, random)
  })
  // tags are found by the uuid of what they are on
  const tags =
    names.includes('uuid') && random.happens(0.1)
      ? [random.pick(['__userTag__~=%a%', '__systemTag__ is null', '__userTag__!=x'])]
      : []
  return {
    q: [...conditions, ...tags],
    ...(random.happens(0.95) ? { limit: random.pick([1, 2, 5, 20, 20, 20, 50]) } : {}),
    ...(random.happens(0.3) ? { start: random.pick([0, 1, 5, Number.MAX_SAFE_INTEGER]) } : {}),
    ...(random.happens(0.4) ? { sort: `${random.pick(['+', '-', '', ' '])}${random.pick(queried)[0]}` } : {}),
    ...(random.happens(0.1) ? { count: random.pick(['true', 'FALSE', 'True']) } : {}),
    ...(random.happens(0.2) ? { replyWithCount: random.happens(0.5) } : {}),
    ...(random.happens(0.2) ? { fields: some } : {}),
  }
}

function condition(name: string, schema: Schema, seen: readonly Fields[], random: SeededRandom): string {
  if (random.happens(0.1)) return `${name}${random.pick([' is null', ' not null'])}`
  const type = String(schema.type).split(',')[0]
  const values = seen
    .map((row) => row[name])
    .filter((value) => value !== undefined && value !== null && !/\p{Cc}/u.test(String(value)))
  const fallback = schema['x-timestamp']
    ? 'Nov 5, 2026 1:02:03 AM'
    : type === 'integer'
      ? 5
      : type === 'boolean'
        ? true
        : 'x'
  const value = String(values.length > 0 ? random.pick(values) : fallback)
  if (type === 'boolean') return `${name}${random.pick(equal)}${value}`
  const operator = random.pick(schema['x-timestamp'] ? ordered.slice(0, 6) : type === 'string' ? forText : ordered)
  const isList = operator.endsWith('?=')
  // a list is parted by commas, and what it is made of must have its form
  const given =
    isList && type !== 'string' ? value : operator.endsWith('~=') ? `%${value.slice(0, 40).replace(/\\$/, '')}%` : value
  return `${name}${operator}${isList && type === 'string' ? `${given},${given}` : given}`.slice(0, 2000).toWellFormed()
}
