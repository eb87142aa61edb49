import { setTimeout as delay } from 'node:timers/promises'
import { CoalescedPoll } from '@wharf/platform/single-flight.ts'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterCommit, refuseInsideTransaction, runTransaction, type Tx, warnOfFailure } from './database.ts'
import { isForeignKeyViolation, isReadOnlyServer, isSerialisationFailure } from './failures.ts'
import { listenTo } from './postgres-listen.ts'
import { type LockLimits, PostgresPool } from './postgres-pool.ts'
import { PostgresReads } from './postgres-reads.ts'
import { readLimits } from './read-cost.ts'
import type { OpenedDatabase } from './sqlite.ts'
import type { Tables } from './tables.ts'

const bigint = 20
const numeric = 1700
const channel = 'wharf_commits'
/** A burst of commits is a notification in each interval of this length, the first of them immediate. */
const notifyMs = 5
const maxAttempts = 5
/** Two that collide must not immediately collide again. */
const retryMs = 10
const usualLimits = { max: 10, queryMs: 15_000 }
/** Together they are no longer than the lease of a job: a row lock that a vanished node may still acquire is released when its lease ends. */
const usualLocks: LockLimits = { waitMs: 4000, idleInTransactionMs: 6000 }
const urgentQueryMs = 3000
/** Short transactions of one statement or two. */
const urgentLocks: LockLimits = { waitMs: 2000, idleInTransactionMs: 3000 }
const patientLocks: LockLimits = { idleInTransactionMs: 10_000 }

/**
 * None of these has changed anything. An unexpected foreign key violation means that a row was deleted after the work had
 * read it: the retry reads again.
 */
const isTransient = (error: unknown): boolean =>
  isSerialisationFailure(error) || isReadOnlyServer(error) || isForeignKeyViolation(error)

/** 64-bit columns and sums arrive as numbers, as they do from SQLite; the edge keeps them under 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === bigint || oid === numeric ? Number : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
}

/** `url` may name several servers: `postgres://user@one:5432,two:5432/wharf`. */
export function openPostgres(
  url: string,
  {
    max,
    queryMs,
    readMs = readLimits.readMs,
    locks,
  }: { max: number; queryMs: number; readMs?: number; locks?: LockLimits } = usualLimits,
  report = warnOfFailure,
): OpenedDatabase {
  const pool = new PostgresPool(url, { max, queryMs, statementMs: readMs, locks: locks ?? usualLocks, types })
  const reads = new PostgresReads(pool, { max, readMs })
  const over = (own: PostgresPool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool: own }) })
  const kysely = over(pool)
  // each connects when it is used
  const urgent = over(new PostgresPool(url, { max: 2, types, queryMs: urgentQueryMs, locks: locks ?? urgentLocks }))
  // migrations and backups have no time limit
  const patient = over(new PostgresPool(url, { max: 2, types, queryMs: 0, locks: patientLocks }))
  // not in the transaction: PostgreSQL syncs commits with a notification to the disk one after the other
  const notification = new CoalescedPoll(async () => {
    // peers also poll
    await sql`select pg_notify(${channel}, '')`.execute(kysely).catch(() => {})
    await delay(notifyMs)
  })
  return {
    engine: 'postgres',
    writer: patient,
    get read() {
      refuseInsideTransaction()
      return kysely
    },
    rows: async (text, values, options = {}) => {
      refuseInsideTransaction()
      return reads.rows(text, values, options)
    },
    transaction: async (work, { isUrgent = false } = {}) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(isUrgent ? urgent : kysely, work, report)
        } catch (error) {
          if (!isTransient(error) || attempt === maxAttempts) throw error
        }
        await delay(Math.random() * retryMs * attempt)
      }
    },
    lock: async (tx: Tx, name) => {
      await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
    },
    onPeerCommit: (wake) => listenTo(channel, () => pool.connection, wake),
    notifyPeers: (tx: Tx) => afterCommit(tx, () => notification.request()),
    connections: () => pool.use,
    close: async () => {
      while (notification.running !== undefined) await notification.running
      await Promise.all([kysely, urgent, patient].map((one) => one.destroy()))
    },
  }
}
