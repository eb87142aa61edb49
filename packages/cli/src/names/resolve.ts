import type { Wharf } from '@wharf/sdk'
import { printable } from '../output/printable.ts'
import { Refusal } from '../refusals.ts'
import { kindOf, type NamedKind } from './kinds.ts'

export type FoundRecord = Readonly<Record<string, unknown>> & { readonly uuid: string }

interface Query {
  q?: readonly string[]
  limit?: number
  sort?: string
  fields?: readonly string[]
}

/** The query of any kind of record that can be named. */
export async function recordsOf(wharf: Wharf, kind: NamedKind, query: Query): Promise<FoundRecord[]> {
  const group = wharf[kind] as unknown as { query(query: Query): Promise<{ inventories?: FoundRecord[] }> }
  return (await group.query(query)).inventories ?? []
}

/** With dashes and capitals too: the server takes every form. */
const isUuid = (text: string): boolean => /^[0-9a-f]{32}$/i.test(text.replaceAll('-', ''))
/** More candidates than fit a screen help nobody. */
const maxCandidates = 20

/** The record that is meant by a name or a uuid. */
export async function resolveRecord(wharf: Wharf, kind: NamedKind, nameOrUuid: string): Promise<FoundRecord> {
  const { noun, field } = kindOf(kind)
  if (nameOrUuid === '') throw new Refusal(`give the name or the uuid of a ${noun}, not an empty text`)
  const byUuid = isUuid(nameOrUuid) ? await recordsOf(wharf, kind, { q: [`uuid=${nameOrUuid}`], limit: 1 }) : []
  if (byUuid[0] !== undefined) return byUuid[0]
  const found =
    field === 'uuid'
      ? []
      : await recordsOf(wharf, kind, { q: [`${field}=${nameOrUuid}`], limit: maxCandidates + 1, sort: '+createDate' })
  const [record] = found
  if (record === undefined) throw await missing(wharf, kind, nameOrUuid)
  if (found.length > 1) throw ambiguous(kind, nameOrUuid, found)
  return record
}

export const resolveUuid = async (wharf: Wharf, kind: NamedKind, nameOrUuid: string): Promise<string> =>
  (await resolveRecord(wharf, kind, nameOrUuid)).uuid

function ambiguous(kind: NamedKind, name: string, found: readonly FoundRecord[]): Refusal {
  const { noun, distinction } = kindOf(kind)
  const candidates = found
    .slice(0, maxCandidates)
    .map((record) => `  ${record.uuid}  ${distinction.map((field) => printable(String(record[field]))).join('  ')}`)
  const more = found.length > maxCandidates ? ['  …'] : []
  return new Refusal(
    [`several of the kind ${noun} are named ${printable(name)}:`, ...candidates, ...more].join('\n'),
    'say which one by its uuid',
  )
}

async function missing(wharf: Wharf, kind: NamedKind, name: string): Promise<Refusal> {
  const { noun, field } = kindOf(kind)
  // what begins alike was perhaps meant
  const pattern = name.slice(0, 3).replace(/[\\%_]/g, '\\$&')
  const similar = field === 'uuid' ? [] : await recordsOf(wharf, kind, { q: [`${field}~=${pattern}%`], limit: 5 })
  const names = [...new Set(similar.map((record) => printable(String(record[field]))))]
  const hint = names.length > 0 ? `perhaps you mean ${names.join(' or ')}` : undefined
  return new Refusal(`there is no ${noun} ${field === 'uuid' ? '' : 'named '}${printable(name)}`, hint)
}
