import { sql } from 'kysely'
import type { Reader } from '../database/database.ts'

/**
 * PostgreSQL hands out sequence numbers before the commit, so number 6 may be visible while 5 is still to come.
 * A reader that went on to 6 would lose 5. Here it waits at the gap until every transaction that was running when
 * the gap was seen has ended: then 5 is either visible or was rolled back for good.
 */
export class CommitOrder {
  #gap: { before: number; horizon: bigint } | undefined

  /** How many of these rows, which follow `last` in order, may be passed on now. */
  async settled(read: Reader, last: number, sequences: readonly number[]): Promise<number> {
    let expected = last + 1
    for (const [index, sequence] of sequences.entries()) {
      if (sequence !== expected && !(await this.#isClosed(read, sequence))) return index
      expected = sequence + 1
    }
    return sequences.length
  }

  async #isClosed(read: Reader, before: number): Promise<boolean> {
    const { rows } = await sql<{ xmin: string; xmax: string }>`
      select pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax from pg_current_snapshot() as s`.execute(
      read,
    )
    const [snapshot] = rows
    if (snapshot === undefined) return false
    if (this.#gap?.before === before) return BigInt(snapshot.xmin) >= this.#gap.horizon
    this.#gap = { before, horizon: BigInt(snapshot.xmax) }
    return false
  }
}
