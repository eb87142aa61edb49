import { setTimeout as delay } from 'node:timers/promises'
import { type Expression, sql } from 'kysely'
import type { Database, Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** How long the statements of one transaction may run: on SQLite every call waits for them. */
const batchMs = 10
const firstBatch = 200
/** The fixed cost of a transaction, such as the sync of a slow disk, is shared by at least so many rows. */
const smallestBatch = 100
const largestBatch = 5000

/** Deletes at most so many rows; how many it found. */
type DeleteSome = (tx: Tx, limit: number) => Promise<number>

/**
 * Deletes rows in transactions of a few milliseconds, with a pause after each that leaves half of the time to calls,
 * until none is left. Returns their number.
 */
export async function deleteInBatches(database: Database, deleteSome: DeleteSome): Promise<number> {
  let limit = firstBatch
  for (let total = 0; ; ) {
    let startedAt = 0
    let statementMs = 0
    const deleted = await database.transaction(async (tx) => {
      // not before: waiting for the writer costs others nothing
      startedAt = performance.now()
      const count = await deleteSome(tx, limit)
      statementMs = performance.now() - startedAt
      return count
    })
    const ms = performance.now() - startedAt
    total += deleted
    if (deleted < limit) return total
    // only what depends on the number of rows: a smaller batch commits no faster
    const fitting = Math.floor(limit * Math.min(2, batchMs / statementMs))
    limit = Math.max(smallestBatch, Math.min(largestBatch, fitting))
    await delay(ms)
  }
}

/** Deletes the rows with the keys that a query returns; how many they were. */
export async function deleteByKey<Table extends keyof Tables>(
  tx: Tx,
  table: Table,
  key: keyof Tables[Table] & string,
  keys: Expression<unknown>,
): Promise<number> {
  const deletion = sql`delete from ${sql.table(table)} where ${sql.ref(key)} in ${keys}`
  return Number((await deletion.execute(tx)).numAffectedRows)
}
