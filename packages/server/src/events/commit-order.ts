import { setTimeout as delay } from 'node:timers/promises'
import type { Reader } from '@wharf/database/database.ts'
import { sql } from 'kysely'

/** A transaction that takes longer than this does not delay the start of a node. */
const maxStartWaitMs = 1000
const pollMs = 20

/**
 * PostgreSQL assigns sequence numbers before the commit, so number 6 may be visible before 5.
 * A reader that continued with 6 would lose 5; one that waited for 5 would wait indefinitely after a rollback.
 *
 * A transaction that inserts an event locks the table from before it gets its number until its commit is visible. So
 * once 6 is visible, every number below it is decided when the current owners of that lock have ended.
 */
export class CommitOrder {
  #gap: { upTo: number; writers: Set<string> } | undefined
  #decidedUpTo = 0

  /** Call before the rows are read: a later commit must not be considered missing. */
  async advance(read: Reader): Promise<void> {
    if (this.#gap === undefined || (await anyWriting(read, this.#gap.writers))) return
    this.#decidedUpTo = this.#gap.upTo
    this.#gap = undefined
  }

  /** How many of these rows, which follow `last` in order, can be delivered now. */
  async countDeliverable(read: Reader, last: number, sequences: readonly number[]): Promise<number> {
    const upTo = sequences.at(-1) ?? last
    const undecided = sequences.findIndex(
      (sequence, index) => sequence > this.#decidedUpTo && sequence !== (sequences[index - 1] ?? last) + 1,
    )
    if (undecided < 0) return sequences.length
    this.#gap ??= { upTo, writers: new Set(await writersOf(read)) }
    return undecided
  }

  /** Resolves when every transaction that has a number now is committed or rolled back. */
  async waitUntilDecided(read: Reader): Promise<void> {
    const writers = new Set(await writersOf(read))
    const until = performance.now() + maxStartWaitMs
    while (performance.now() < until && (await anyWriting(read, writers))) await delay(pollMs)
  }
}

async function anyWriting(read: Reader, writers: ReadonlySet<string>): Promise<boolean> {
  return writers.size > 0 && (await writersOf(read)).some((writer) => writers.has(writer))
}

/** The transactions that are writing events now. */
async function writersOf(read: Reader): Promise<string[]> {
  const { rows } = await sql<{ virtualtransaction: string }>`
    select virtualtransaction from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
      and relation = '"events"'::regclass
      and database = (select oid from pg_database where datname = current_database())`.execute(read)
  return rows.map(({ virtualtransaction }) => virtualtransaction)
}
