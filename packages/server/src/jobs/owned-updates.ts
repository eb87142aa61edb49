import type { Engine, Tx } from '@wharf/database/database.ts'
import { repeatedQuery } from '@wharf/database/repeated-query.ts'
import { CompiledQuery } from 'kysely'
import type { JobRow } from './job-row.ts'

/** A job as its owner has claimed it: the next owner has a higher fence. */
export type ClaimedJob = Pick<JobRow, 'uuid' | 'fence'>

export interface OwnedUpdate {
  readonly job: ClaimedJob
  readonly change: Partial<JobRow>
}

type Column = keyof JobRow

/** Changes the jobs that this owner still has; returns how many they are. Locks their rows until the commit. */
export async function updateOwned(
  engine: Engine,
  tx: Tx,
  owner: string,
  updates: readonly OwnedUpdate[],
): Promise<number> {
  let count = 0
  for (const query of engine === 'sqlite' ? singleUpdates(owner, updates) : jointUpdates(owner, updates))
    count += Number((await tx.executeQuery(query)).numAffectedRows)
  return count
}

/** The jobs that change the same columns share a statement. */
const byColumns = (updates: readonly OwnedUpdate[]) => [
  ...Map.groupBy(updates, ({ change }) => Object.keys(change).join()),
]

/** SQLite has no round trips to save, and runs a statement that it knows faster than one with many rows. */
const singleUpdates = (owner: string, updates: readonly OwnedUpdate[]): CompiledQuery[] =>
  byColumns(updates).map(([columns, alike]) => {
    const set = columns.split(',').map((name) => `"${name}" = ?`)
    const text = `update "jobs" set ${set.join(', ')} where "uuid" = ? and "owner" = ? and "fence" = ?`
    const lists = alike.map(({ job: { uuid, fence }, change }) => [...Object.values(change), uuid, owner, fence])
    return repeatedQuery({ sql: text, lists })
  })

/**
 * The table itself has the types of the values. The uuids are named twice: PostgreSQL expects so many rows of the JSON that it would
 * scan a table of some thousand jobs, and it keeps the plan of a prepared statement.
 */
function jointUpdates(owner: string, updates: readonly OwnedUpdate[]): CompiledQuery[] {
  return byColumns(updates).map(([columns, alike]) => {
    const set = columns.split(',').map((name) => `"${name}" = "given"."${name}"`)
    const text = `update "jobs" set ${set.join(', ')} from json_populate_recordset(null::"jobs", $1) as "given"
      where "jobs"."uuid" = any($3) and "jobs"."uuid" = "given"."uuid" and "jobs"."owner" = $2
        and "jobs"."fence" = "given"."fence"`
    return CompiledQuery.raw(text, [JSON.stringify(alike.map(jsonRow)), owner, alike.map(({ job }) => job.uuid)])
  })
}

function jsonRow({ job: { uuid, fence }, change }: OwnedUpdate): Partial<Record<Column, unknown>> {
  const values = Object.entries(change).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? byteaText(value) : value,
  ])
  return { ...Object.fromEntries(values), uuid, fence }
}

const byteaText = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
