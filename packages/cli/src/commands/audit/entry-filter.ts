import type { Wharf } from '@wharf/sdk'
import type { OptionSpecs } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { suggestion } from '../../names/similar.ts'
import { resourceTypes } from '../events/resource-types.ts'

/** The entries that a command shows. */
export const filterOptions = {
  '--actor <name>': { help: 'only actions of this user; System for automatic ones' },
  '--operation <name>': { help: 'only this operation, such as AddHost' },
  '--outcome <outcome>': { help: 'only this outcome', choices: ['Success', 'Failure', 'Denied'] },
  '--type <type>': { help: 'only records of this type, such as Host', names: 'resourceTypes' },
  '--record <name>': { help: 'only records that have or had this name, or the one with this uuid' },
  '--query <condition>': { help: 'filter, such as sourceIp=10.0.0.7; repeatable (docs/query.md)', repeated: true },
} as const satisfies OptionSpecs

interface FilterFlags {
  readonly actor?: string
  readonly operation?: string
  readonly outcome?: string
  readonly type?: string
  readonly record?: string
  readonly query?: readonly string[]
}

/** The kinds of actors that have no user. */
const isNameless = /^(System|Anonymous)$/
const isUuid = /^[0-9a-f]{32}$/i

const maxPage = 500

/** The conditions of `q`. */
export async function filterConditions(connect: () => Promise<Wharf>, filter: FilterFlags): Promise<string[]> {
  const { actor, operation, outcome, type, record, query = [] } = filter
  await requireOperation(operation)
  await requireResourceType(type)
  const conditions = [...query]
  if (actor !== undefined) conditions.push(`${isNameless.test(actor) ? 'actorKind' : 'actorName'}=${actor}`)
  if (operation !== undefined) conditions.push(`operation=${operation}`)
  if (outcome !== undefined) conditions.push(`outcome=${outcome}`)
  if (type !== undefined) conditions.push(`resourceType=${type}`)
  if (record !== undefined) conditions.push(await recordCondition(connect, record))
  return conditions
}

/** An entry has the name that its record had at the time, so a name is converted to the uuids of the records that had it. */
async function recordCondition(connect: () => Promise<Wharf>, record: string): Promise<string> {
  if (isUuid.test(record.replaceAll('-', ''))) return `resourceUuid=${record}`
  const { auditEntries } = await connect()
  const uuids = new Set<string>()
  for (let count = maxPage; count === maxPage; ) {
    const others = uuids.size === 0 ? 'resourceUuid not null' : `resourceUuid!?=${[...uuids]}`
    const q = [`resourceName=${record}`, others]
    const { inventories = [] } = await auditEntries.query({ q, fields: ['resourceUuid'], limit: maxPage })
    for (const { resourceUuid } of inventories) uuids.add(String(resourceUuid))
    count = inventories.length
  }
  return uuids.size === 0 ? `resourceName=${record}` : `resourceUuid?=${[...uuids]}`
}

/** Refused calls whose operation is unknown have their method and path instead. */
const isRoute = /^[A-Z]+ /

async function requireOperation(name: string | undefined): Promise<void> {
  if (name === undefined || isRoute.test(name)) return
  const { aliases, operations, systemActions } = await import('@wharf/contract')
  const names = [...operations, ...aliases].map((operation) => operation.name)
  requireKnown('operation', name, { option: '--operation', known: [...names, ...systemActions] })
}

async function requireResourceType(type: string | undefined): Promise<void> {
  if (type === undefined) return
  // the retention removes entries, which are not events
  requireKnown('resourceType', type, { option: '--type', known: [...(await resourceTypes()), 'AuditEntry'] })
}

/** Without this check, a misspelled value would show no entries. */
function requireKnown(field: string, value: string, { option, known }: { option: string; known: string[] }): void {
  if (known.includes(value)) return
  const remedy = suggestion(value, known) ?? `for a value of another version of Wharf, use --query '${field}=${value}'`
  throw new UsageError(`invalid ${option} ${value}: no entry can have it`, remedy)
}
