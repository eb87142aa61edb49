import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, sql } from 'kysely'
import type { OpenedDatabase } from './sqlite.ts'

export type Row = Record<string, unknown>

/** The rows of a statement, a few at a time. */
export type RowsOf = (statement: string) => AsyncIterable<Row>

/** A row can be a few hundred KB (sealed input, the text of a tag), so a batch is a few megabytes. */
const rowsAtOnce = 100

/** Reads that all see the database at one moment, while others continue to write. */
export const inSnapshot = <T>(database: OpenedDatabase, work: (rowsOf: RowsOf) => Promise<T>): Promise<T> =>
  database.engine === 'sqlite' ? inSqlite(database, work) : inPostgres(database, work)

/** On a separate connection: on a shared one all readers would see that snapshot. */
async function inSqlite<T>(database: OpenedDatabase, work: (rowsOf: RowsOf) => Promise<T>): Promise<T> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(
    database.read,
  )
  const connection = new DatabaseSync(rows[0]?.file ?? '', { readOnly: true, timeout: 5000 })
  try {
    connection.exec('begin')
    return await work(async function* (statement) {
      yield* connection.prepare(statement).iterate() as Iterable<Row>
    })
  } finally {
    connection.close()
  }
}

const inPostgres = <T>(database: OpenedDatabase, work: (rowsOf: RowsOf) => Promise<T>): Promise<T> =>
  database.writer
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const run = (statement: string) => tx.executeQuery<Row>(CompiledQuery.raw(statement))
      // between two reads the disk may be slow
      await run('set local idle_in_transaction_session_timeout = 0')
      return work(async function* (statement) {
        await run(`declare "reading" no scroll cursor for ${statement}`)
        for (;;) {
          const { rows } = await run(`fetch ${rowsAtOnce} from "reading"`)
          if (rows.length === 0) break
          yield* rows
        }
        await run('close "reading"')
      })
    })
