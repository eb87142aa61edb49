import { CompiledQuery } from 'kysely'
import { Bindings } from './bindings.ts'
import type { Database, Tx } from './database.ts'
import {
  hostLabelsSql,
  insideSql,
  isHostlessByRole,
  labelConditions,
  recordsOfType,
  scopedRecords,
} from './record-scope-sql.ts'
import type { CallerScope } from './scope-conditions.ts'

/** Reads in the transaction if there is one. */
async function read(
  database: Database,
  sql: string,
  { values }: Bindings,
  tx?: Tx,
): Promise<Record<string, unknown>[]> {
  if (tx !== undefined) return (await tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, values))).rows
  // a rollout has many hosts
  return (await database.rows(sql, values, { cost: 'scan' })).objects()
}

const uuidsIn = (rows: Record<string, unknown>[]): Set<string> => new Set(rows.map(({ uuid }) => String(uuid)))

/** Those of the uuids that are records outside the scope. */
export async function findOutside(
  database: Database,
  scope: CallerScope,
  uuids: readonly string[],
  tx?: Tx,
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set()
  const to = new Bindings(database.engine)
  const selects = scopedRecords.map(
    ({ table }) =>
      `select "uuid" from "${table}" where ${to.among('"uuid"', uuids)} and not coalesce((${insideSql(table, scope, to)}), false)`,
  )
  return uuidsIn(await read(database, selects.join(' union all '), to, tx))
}

/** What an event is about. */
interface EventSubject {
  readonly resourceType: string
  readonly uuid: string
}

/** The uuids of those that exist and are within the scope. */
export async function findInside(
  database: Database,
  scope: CallerScope,
  subjects: readonly EventSubject[],
): Promise<ReadonlySet<string>> {
  const to = new Bindings(database.engine)
  const byType = Map.groupBy(subjects, ({ resourceType }) => resourceType)
  const selects = [...byType].flatMap(([type, some]) =>
    recordsOfType(type).map(({ table }) => {
      const uuids = [...new Set(some.map(({ uuid }) => uuid))]
      return `select "uuid" from "${table}" where ${to.among('"uuid"', uuids)} and ${insideSql(table, scope, to)}`
    }),
  )
  return selects.length === 0 ? new Set() : uuidsIn(await read(database, selects.join(' union all '), to))
}

/** Those of the addresses, in lower case, that hosts within the scope were added with. */
export async function findHostAddresses(
  database: Database,
  { conditions }: CallerScope,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const to = new Bindings(database.engine)
  const address = 'lower("hosts"."address")'
  const sql = `select ${address} as "address" from "hosts" where ${to.among(address, addresses)} and ${labelConditions('"hosts"."uuid"', conditions, to)}`
  return new Set((await read(database, sql, to)).map((row) => String(row.address)))
}

/** More different labels than this are not kept with the event of a deletion. */
const maxLabelSets = 100

/** Whether a scope can hide events of this type. */
export const isScopedType = (type: string): boolean => recordsOfType(type).some(({ scope }) => scope !== 'byRole')

/**
 * Before a record is deleted: the labels of its hosts as JSON, by which its event is shown afterwards; null when they are
 * unknown or too many.
 */
export async function readHostLabels(
  { engine }: Pick<Database, 'engine'>,
  tx: Tx,
  { resourceType, uuid }: EventSubject,
): Promise<string | null> {
  const labels: string[] = []
  for (const record of recordsOfType(resourceType)) {
    // numbered: the statement names it several times
    const sql = hostLabelsSql(record, engine === 'postgres' ? '$1' : '?1')
    if (sql === undefined) continue
    const limited = `${sql} limit ${maxLabelSets + 1}`
    const { rows } = await tx.executeQuery<{ labels: string }>(CompiledQuery.raw(limited, [uuid]))
    labels.push(...rows.map((row) => row.labels))
  }
  const isHidden = labels.length === 0 && !recordsOfType(resourceType).some(isHostlessByRole)
  return isHidden || labels.length > maxLabelSets ? null : `[${labels.join(',')}]`
}
