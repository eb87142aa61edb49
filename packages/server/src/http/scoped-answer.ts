import { inventories, type Operation, uuidPattern } from '@wharf/contract'
import { RowList } from '@wharf/database/row-list.ts'

type Schema = Record<string, unknown>

/** A part of an answer that can name records outside a scope. `*` in its path is every item of a list. */
interface AnswerPart {
  readonly path: readonly string[]
  /** A list of records, a list of uuids, or a uuid that may be null. */
  readonly kind: 'records' | 'uuids' | 'uuid'
}

const scopedNames = new Set(
  inventories.filter(({ scope }) => scope !== undefined && scope !== 'byRole').map(({ name }) => name),
)

const known = new WeakMap<Operation, readonly AnswerPart[]>()

function partsOf(operation: Operation): readonly AnswerPart[] {
  const { answer, queries } = operation
  const parts = known.get(operation) ?? findParts({ properties: answer === 'empty' ? {} : answer }, [], !queries)
  known.set(operation, parts)
  return parts
}

/** The statement of a query has limited its records, and so what they belong to: only their lists of uuids remain. */
function findParts(schema: Schema, path: readonly string[], hasOthers: boolean): AnswerPart[] {
  const { properties = {}, items } = schema as { properties?: Record<string, Schema>; items?: Schema }
  const found = Object.entries(properties).flatMap(([name, property]) =>
    findParts(property, [...path, name], hasOthers),
  )
  if (schema.pattern === uuidPattern && Array.isArray(schema.type) && hasOthers) found.push({ path, kind: 'uuid' })
  if (items === undefined) return found
  if (items.pattern === uuidPattern) return [...found, { path, kind: 'uuids' }]
  const ofItems = findParts(items, [...path, '*'], hasOthers)
  return scopedNames.has(String(items.title)) && hasOthers ? [...ofItems, { path, kind: 'records' }] : ofItems
}

/** The value with this part of it changed. */
function edit(value: unknown, [step, ...rest]: readonly string[], change: (part: unknown) => unknown): unknown {
  if (value === null || value === undefined) return value
  if (step === undefined) return change(value)
  if (step === '*') {
    const items = value instanceof RowList ? value.objects() : (value as unknown[])
    return items.map((item) => edit(item, rest, change))
  }
  const object = value as Readonly<Record<string, unknown>>
  return step in object ? { ...object, [step]: edit(object[step], rest, change) } : value
}

const uuidOf = (record: unknown): string => String((record as { uuid?: unknown }).uuid)

/** The uuids in an answer that may belong to records outside a scope. */
export function uuidsInAnswer(operation: Operation, answer: object): string[] {
  const uuids: string[] = []
  for (const { path, kind } of partsOf(operation))
    edit(answer, path, (part) => {
      uuids.push(...(kind === 'records' ? (part as unknown[]).map(uuidOf) : [part].flat().map(String)))
      return part
    })
  return uuids
}

/** Without the records of these uuids, and the uuids themselves. */
export function withoutUuids(operation: Operation, answer: object, outside: ReadonlySet<string>): object {
  const keep = {
    records: (part: unknown) => (part as unknown[]).filter((record) => !outside.has(uuidOf(record))),
    uuids: (part: unknown) => (part as unknown[]).filter((uuid) => !outside.has(String(uuid))),
    uuid: (part: unknown) => (outside.has(String(part)) ? null : part),
  }
  return partsOf(operation).reduce<object>((shown, { path, kind }) => edit(shown, path, keep[kind]) as object, answer)
}
