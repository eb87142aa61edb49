import type { Wharf } from '@wharf/sdk'
import { CommandError } from '../errors.ts'
import { printable } from '../output/printable.ts'
import { kindOf, type NamedKind } from './record-kinds.ts'

export type FoundRecord = Readonly<Record<string, unknown>> & { readonly uuid: string }

interface Query {
  q?: readonly string[]
  limit?: number
  sort?: string
  fields?: readonly string[]
}

/** Queries records of any kind. */
export async function recordsOf(wharf: Wharf, kind: NamedKind, query: Query): Promise<FoundRecord[]> {
  const group = wharf[kind] as unknown as { query(query: Query): Promise<{ inventories?: FoundRecord[] }> }
  return (await group.query(query)).inventories ?? []
}

/** The server also accepts dashes and capitals. */
const isUuid = (text: string): boolean => /^[0-9a-f]{32}$/i.test(text.replaceAll('-', ''))
/** As many as fit a terminal. */
const maxCandidates = 20

/** Lists show as many digits of a uuid for records without a name. */
export const shortIdLength = 8

/** Records without a name are also found by the first digits of their uuid. */
const uuidPrefixCondition = (text: string): string[] | undefined =>
  /^[0-9a-f]{4,31}$/i.test(text) ? [`uuid~=${text.toLowerCase()}%`] : undefined

/** Finds a record by name or uuid. `remedy`: what to do when several have the name. */
export async function resolveRecord(
  wharf: Wharf,
  kind: NamedKind,
  nameOrUuid: string,
  remedy = 'use the uuid instead',
): Promise<FoundRecord> {
  const { noun, field, currentStatuses = [] } = kindOf(kind)
  if (nameOrUuid === '') throw new CommandError(`the name or uuid of the ${noun} must not be empty`)
  const byUuid = isUuid(nameOrUuid) ? await recordsOf(wharf, kind, { q: [`uuid=${nameOrUuid}`], limit: 1 }) : []
  if (byUuid[0] !== undefined) return byUuid[0]
  const page = { limit: maxCandidates + 1, sort: '+createDate' }
  const q = field === 'uuid' ? uuidPrefixCondition(nameOrUuid) : [`${field}=${nameOrUuid}`]
  const found = q === undefined ? [] : await recordsOf(wharf, kind, { ...page, q })
  const [record] = found
  if (record === undefined) throw await notFoundError(wharf, kind, nameOrUuid)
  const [current, ...others] = found.filter(({ status }) => currentStatuses.includes(String(status)))
  if (current !== undefined && others.length === 0) return current
  if (found.length > 1) throw ambiguousError(kind, nameOrUuid, found, remedy)
  return record
}

export const resolveUuid = async (wharf: Wharf, kind: NamedKind, nameOrUuid: string): Promise<string> =>
  (await resolveRecord(wharf, kind, nameOrUuid)).uuid

function ambiguousError(kind: NamedKind, name: string, found: readonly FoundRecord[], remedy: string): CommandError {
  const { noun, field, distinction } = kindOf(kind)
  const candidates = found
    .slice(0, maxCandidates)
    .map((record) => `  ${record.uuid}  ${distinction.map((field) => printable(String(record[field]))).join('  ')}`)
  const more = found.length > maxCandidates ? ['  …'] : []
  return new CommandError(
    [
      `more than one ${noun} ${field === 'uuid' ? 'begins with' : 'is named'} ${printable(name)}:`,
      ...candidates,
      ...more,
    ].join('\n'),
    remedy,
  )
}

async function notFoundError(wharf: Wharf, kind: NamedKind, name: string): Promise<CommandError> {
  const { noun, field } = kindOf(kind)
  // suggests names with the same prefix
  const pattern = name.slice(0, 3).replace(/[\\%_]/g, '\\$&')
  const similar = field === 'uuid' ? [] : await recordsOf(wharf, kind, { q: [`${field}~=${pattern}%`], limit: 5 })
  const names = [...new Set(similar.map((record) => printable(String(record[field]))))]
  const hint = names.length > 0 ? `did you mean ${names.join(' or ')}?` : undefined
  return new CommandError(`no ${noun} ${field === 'uuid' ? '' : 'named '}${printable(name)}`, hint)
}
