import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { refuseInsideTransaction, runTransaction, type Tx } from './database.ts'
import { isSerialisationFailure } from './failures.ts'
import type { OpenedDatabase } from './sqlite.ts'
import type { Tables } from './tables.ts'

const bigint = 20
const numeric = 1700
const channel = 'wharf_commits'
const maxAttempts = 5
const reconnectMs = 500

/** 64-bit columns and sums arrive as numbers, as they do from SQLite; the edge keeps them under 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === bigint || oid === numeric ? Number : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
}

export function openPostgres(url: string): OpenedDatabase {
  const connection = { connectionString: url, types, keepAlive: true, application_name: 'wharf' }
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    connectionTimeoutMillis: 5000,
    idle_in_transaction_session_timeout: 10_000,
    // a connection that neither answers nor breaks must not hold a call for ever
    query_timeout: 120_000,
  })
  // a connection that breaks is replaced at the next use; without listeners it would end the process, as would one that
  // breaks between two statements of a transaction
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    engine: 'postgres',
    writer: kysely,
    get read() {
      refuseInsideTransaction()
      return kysely
    },
    rows: async (text, values) => {
      refuseInsideTransaction()
      return (await pool.query(text, [...values])).rows
    },
    transaction: async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(kysely, work)
        } catch (error) {
          if (!isSerialisationFailure(error) || attempt === maxAttempts) throw error
        }
      }
    },
    lock: async (tx: Tx, name) => {
      await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
    },
    onPeerCommit: (wake) => listen(connection, wake),
    notifyPeers: async (tx: Tx) => {
      await sql`select pg_notify(${channel}, '')`.execute(tx)
    },
    close: () => kysely.destroy(),
  }
}

/** A connection of its own that listens, and comes back when it is lost. */
function listen(connection: pg.ClientConfig, wake: () => void): () => void {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const current = new pg.Client(connection)
    client = current
    let lost = false
    const again = (): void => {
      if (lost) return
      lost = true
      current.end().catch(() => {})
      if (!stopped) timer = setTimeout(() => void connect(), reconnectMs)
    }
    current.on('notification', wake)
    current.on('error', again)
    current.on('end', again)
    try {
      await current.connect()
      await current.query(`listen ${channel}`)
      wake()
    } catch {
      again()
    }
  }
  void connect()
  return () => {
    stopped = true
    clearTimeout(timer)
    client?.end().catch(() => {})
  }
}
