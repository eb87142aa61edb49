import type { FieldsOf, Operation, queryAccount } from '@wharf/contract'
import type { Database } from '../database/database.ts'
import type { QueryableCollection } from '../database/query.ts'
import type { Row } from '../database/query-select.ts'
import { ApiError, notFound } from '../platform/api-error.ts'
import type { Binding, Call } from './bind.ts'

type QueryFields = FieldsOf<typeof queryAccount>

export interface QueryOptions {
  /** Others than admins see only what belongs to their own user. */
  ownUser?: boolean
  /** The rows as this caller may see them. */
  shown?: (call: Call, rows: Row[]) => Promise<Row[]>
}

/** What every collection needs of the server. */
export interface Queries {
  readonly database: Database
  /** The zone of times in conditions that name none. */
  readonly timezone: string
  /** Clients of some platforms expect an empty list where Wharf says 404. */
  readonly emptyNotFound: boolean
}

/** Query and get, the same for every collection. */
export function queryBindings(
  { database, timezone, emptyNotFound }: Queries,
  records: QueryableCollection,
  query: Operation,
  get: Operation,
  { ownUser = false, shown = async (_, rows) => rows }: QueryOptions = {},
): Binding[] {
  const scopeOf = ({ caller }: Call): Record<string, string> | undefined =>
    ownUser && caller.role !== 'admin' ? { userUuid: caller.userUuid } : undefined
  return [
    {
      operation: query,
      handler: async (call) => {
        const input = { ...(call.fields as QueryFields), timeZone: timezone }
        const page = await records.query(database, input, scopeOf(call))
        return page.inventories ? { ...page, inventories: await shown(call, page.inventories) } : page
      },
    },
    {
      operation: get,
      handler: async (call) => {
        const { uuid = '' } = call.path as { uuid?: string }
        const input = call.fields as Pick<QueryFields, 'fields'>
        const found = await records.get(database, uuid, input)
        const scope = scopeOf(call)
        if (found && scope && !(await records.get(database, uuid, input, scope)))
          throw new ApiError('ID.1002', 'this belongs to another user')
        if (!found && !emptyNotFound) throw notFound(get.name.replace(/^Get/, ''), uuid)
        return { inventories: found ? await shown(call, [found]) : [] }
      },
    },
  ]
}
