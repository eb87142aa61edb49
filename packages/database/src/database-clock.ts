import type { Clock } from '@wharf/platform/clock.ts'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { databaseNow } from './database-now.ts'

/** The engine rounds its time to milliseconds. */
const roundingMs = 1

/**
 * The time of the database, by which all nodes judge the records that they share. It is measured now and then, and
 * advances in between with a monotonic clock. On SQLite it is the node's own time.
 */
export class DatabaseClock implements Clock {
  readonly #own: Clock
  /** Database time minus `performance.now()`; undefined on SQLite. */
  #offsetMs: number | undefined

  private constructor(own: Clock) {
    this.#own = own
  }

  static async measure(database: Database, own: Clock): Promise<DatabaseClock> {
    const clock = new DatabaseClock(own)
    if (database.engine === 'sqlite') return clock
    const queriedAt = performance.now()
    const { rows } = await sql<{ now: number }>`select ${databaseNow(database.engine)} as "now"`.execute(database.read)
    clock.#offsetMs = (rows[0]?.now ?? own.now()) - (queriedAt + performance.now()) / 2
    return clock
  }

  now(): number {
    return this.#offsetMs === undefined ? this.#own.now() : Math.floor(performance.now() + this.#offsetMs)
  }

  /** The database had this time between two moments of `performance.now()`. An offset that fits is kept, so that time does not jitter. */
  correct(databaseTime: number, queriedAt: number, answeredAt: number): void {
    if (this.#offsetMs === undefined) return
    const least = databaseTime - roundingMs - answeredAt
    const most = databaseTime + roundingMs - queriedAt
    this.#offsetMs = Math.min(Math.max(this.#offsetMs, least), most)
  }

  /** How far the clock of this machine is ahead of the database's; negative when it is behind. */
  get ownErrorMs(): number {
    return this.#own.now() - this.now()
  }
}
