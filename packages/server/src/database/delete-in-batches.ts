import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from './database.ts'

/** What one transaction may take: on SQLite every call waits for it. */
const batchMs = 10
const firstBatch = 200
const largestBatch = 5000

/** Deletes at most so many rows; how many it found. */
export type DeleteSome = (tx: Tx, limit: number) => Promise<number>

/**
 * Deletes rows in transactions of a few milliseconds, with a pause after each that leaves half of the time to calls,
 * until none is left. Returns how many there were.
 */
export async function deleteInBatches(database: Database, deleteSome: DeleteSome): Promise<number> {
  let limit = firstBatch
  for (let total = 0; ; ) {
    const startedAt = performance.now()
    const deleted = await database.transaction((tx) => deleteSome(tx, limit))
    const ms = performance.now() - startedAt
    total += deleted
    if (deleted < limit) return total
    limit = Math.max(1, Math.min(largestBatch, Math.floor(limit * Math.min(2, batchMs / ms))))
    await delay(ms)
  }
}
