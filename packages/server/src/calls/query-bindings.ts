import type { FieldsOf, Operation, queryAccount } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { collection, type QueryableCollection, type RequiredColumns } from '@wharf/database/query.ts'
import type { Row, RowList } from '@wharf/database/row-list.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Binding } from './bind.ts'
import type { Call } from './call-context.ts'

type QueryFields = FieldsOf<typeof queryAccount>

export interface QueryOptions {
  /** Absent: the table of the records, each field its column. */
  records?: QueryableCollection
  /** Callers other than admins see only the records of their own user. */
  ownUser?: boolean
  /** The rows as this caller may see them. */
  shown?: (call: Call, rows: Row[]) => Promise<Row[]>
  /** Fields that `shown` needs, even if the caller does not select them. */
  shownBy?: readonly string[]
}

/** The server's settings for every collection. */
export interface Queries {
  readonly database: Database
  /** The zone of times in conditions that name none. */
  readonly timezone: string
  /** Clients of some platforms expect an empty list where Wharf returns 404. */
  readonly emptyNotFound: boolean
}

/** Who queries, and which records exist for them. Every query of a caller has this. */
export const callerOf = ({ caller, disconnectSignal }: Pick<Call, 'caller' | 'disconnectSignal'>) => ({
  userUuid: caller.userUuid,
  scope: caller.scope,
  disconnectSignal,
})

/** For a collection whose records cannot be named one by one. */
export const queryBinding = (
  { database, timezone }: Pick<Queries, 'database' | 'timezone'>,
  query: Operation,
  { records = recordsOf(query), ownUser = false }: Pick<QueryOptions, 'records' | 'ownUser'> = {},
): Binding => ({
  operation: query,
  handler: (call) => {
    const input = { ...(call.fields as QueryFields), timeZone: timezone, ...callerOf(call) }
    return records.query(database, input, ownUser ? ownOf(call) : undefined)
  },
})

/** What a record must have so that a caller other than an admin sees it. */
const ownOf = ({ caller }: Call): RequiredColumns | undefined =>
  caller.role === 'admin' ? undefined : { userUuid: caller.userUuid }

function recordsOf({ name, queries }: Operation): QueryableCollection {
  if (queries?.table === undefined) throw new Error(`${name} queries records without a table`)
  return collection({ ...queries, table: queries.table })
}

/** Query and get, the same for every collection. */
export function queryBindings(
  { database, timezone, emptyNotFound }: Queries,
  query: Operation,
  get: Operation,
  { records = recordsOf(query), ownUser = false, shown, shownBy = [] }: QueryOptions = {},
): Binding[] {
  const requiredOf = (call: Call): RequiredColumns | undefined => (ownUser ? ownOf(call) : undefined)
  const shownRows = async (call: Call, rows: RowList, fields: string[] | undefined): Promise<RowList | Row[]> => {
    if (shown === undefined) return rows
    const visible = await shown(call, rows.objects())
    return shownBy.length === 0 ? visible : onlyFields(fields, visible)
  }
  return [
    {
      operation: query,
      handler: (call) => {
        const requested = call.fields as QueryFields
        const input = {
          ...requested,
          ...withFields(requested.fields, shownBy),
          timeZone: timezone,
          ...callerOf(call),
        }
        const page = records.query(database, input, requiredOf(call))
        if (shown === undefined) return page
        return page.then(async ({ inventories, ...rest }) =>
          inventories ? { ...rest, inventories: await shownRows(call, inventories, requested.fields) } : rest,
        )
      },
    },
    {
      operation: get,
      handler: async (call) => {
        const { uuid = '' } = call.path as { uuid?: string }
        const { fields } = call.fields as Pick<QueryFields, 'fields'>
        const input = { ...withFields(fields, shownBy), scope: call.caller.scope }
        const found = await records.get(database, uuid, input)
        const required = requiredOf(call)
        if (required && found.length > 0 && (await records.get(database, uuid, input, required)).length === 0)
          throw new ApiError('ID.1002', 'this belongs to another user')
        if (found.length === 0 && !emptyNotFound) throw notFound(get.name.replace(/^Get/, ''), uuid)
        return { inventories: await shownRows(call, found, fields) }
      },
    },
  ]
}

const withFields = (requested: string[] | undefined, more: readonly string[]): { fields?: string[] } =>
  requested === undefined ? {} : { fields: [...requested, ...more] }

function onlyFields(requested: string[] | undefined, rows: Row[]): Row[] {
  if (requested === undefined) return rows
  const wanted = new Set(requested.flatMap((list) => list.split(',')).map((name) => name.trim()))
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name))) as Row)
}
