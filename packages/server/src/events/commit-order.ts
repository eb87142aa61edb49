import { setTimeout as delay } from 'node:timers/promises'
import type { Reader } from '@wharf/database/database.ts'
import { sql } from 'kysely'

/** A transaction that takes longer than this is not worth holding up the start of a node. */
const maxStartWaitMs = 1000
const lookMs = 20

/**
 * PostgreSQL hands out sequence numbers before the commit, so number 6 may be visible while 5 is still to come.
 * A reader that went on to 6 would lose 5; one that waited for 5 would wait for ever if that was rolled back.
 *
 * Whoever inserts an event holds a lock on the table from before it gets its number until its commit is visible. So
 * once 6 is seen, every number below it is decided as soon as those have ended who hold that lock at that moment.
 */
export class CommitOrder {
  #gap: { upTo: number; writers: Set<string> } | undefined
  #decidedUpTo = 0

  /** To be asked before the rows are read: a commit that comes after the answer must not be taken for missing. */
  async look(read: Reader): Promise<void> {
    if (this.#gap === undefined || (await anyWriting(read, this.#gap.writers))) return
    this.#decidedUpTo = this.#gap.upTo
    this.#gap = undefined
  }

  /** How many of these rows, which follow `last` in order, may be passed on now. */
  async settled(read: Reader, last: number, sequences: readonly number[]): Promise<number> {
    const upTo = sequences.at(-1) ?? last
    const undecided = sequences.findIndex(
      (sequence, index) => sequence > this.#decidedUpTo && sequence !== (sequences[index - 1] ?? last) + 1,
    )
    if (undecided < 0) return sequences.length
    this.#gap ??= { upTo, writers: new Set(await writersOf(read)) }
    return undecided
  }

  /** Ends when everything has been committed or rolled back that has a number by now. */
  async decided(read: Reader): Promise<void> {
    const writers = new Set(await writersOf(read))
    const until = performance.now() + maxStartWaitMs
    while (performance.now() < until && (await anyWriting(read, writers))) await delay(lookMs)
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
