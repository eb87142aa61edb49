import { CompiledQuery, sql } from 'kysely'
import { readBackup } from './backup-file.ts'
import { type BackupHeader, BackupRefused, fromValue, type TableLine, type Value } from './backup-format.ts'
import type { Engine, Tx } from './database.ts'
import { quoteName } from './query-fields.ts'
import type { Row } from './snapshot.ts'
import type { OpenedDatabase } from './sqlite.ts'
import { tablesInOrder } from './table-order.ts'

/**
 * Fills an empty, migrated database from a backup of either engine: all of it or nothing. The whole file is checked
 * before the database is touched.
 */
export async function restore(
  database: OpenedDatabase,
  file: string,
  about: { keyFingerprint: string },
): Promise<{ rows: number }> {
  return readBackup(file, async ({ header, end, lines }) => {
    await refuseUnfit(database, header, about)
    await database.transaction(async (tx) => {
      await refuseInUse(database.engine, tx)
      await clear(database.engine, tx)
      const rows = await fill(database.engine, tx, lines())
      if (rows !== end.rows) throw new BackupRefused(`${file} declares ${end.rows} rows and contains ${rows}`)
      await continueEvents(database.engine, tx, header.lastEvent)
      await continueAuditEntries(database.engine, tx)
    })
    return { rows: end.rows }
  })
}

async function refuseUnfit(
  database: OpenedDatabase,
  header: BackupHeader,
  about: { keyFingerprint: string },
): Promise<void> {
  if (header.keyFingerprint !== about.keyFingerprint)
    throw new BackupRefused(
      `the backup needs the master key with fingerprint ${header.keyFingerprint}; the one here has ${about.keyFingerprint}`,
    )
  const { rows } = await sql<{ name: string }>`select "name" from "migrations"`.execute(database.read)
  const known = new Set(rows.map((row) => row.name))
  const unknown = header.migrations.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new BackupRefused(
      `the backup is of a newer Wharf (${header.version}): this one does not know ${unknown.join(', ')}`,
    )
}

/** A database with an account is in use. */
async function refuseInUse(engine: Engine, tx: Tx): Promise<void> {
  if (engine === 'postgres') {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    // no node may start on it now
    await sql`lock table "accounts" in share row exclusive mode`.execute(tx)
  }
  const account = await tx.selectFrom('accounts').select('uuid').limit(1).executeTakeFirst()
  if (account)
    throw new BackupRefused(
      'the database contains accounts: restore into an empty one (of SQLite, move wharf.db* away first)',
    )
}

/** Without an account, a start that failed early may have left rows. */
async function clear(engine: Engine, tx: Tx): Promise<void> {
  const tables = await tablesInOrder(engine, async function* (statement) {
    yield* (await tx.executeQuery<Row>(CompiledQuery.raw(statement))).rows
  })
  for (const { name } of tables.reverse()) await tx.executeQuery(CompiledQuery.raw(`delete from ${quoteName(name)}`))
}

const rowsAtOnce = 100

async function fill(engine: Engine, tx: Tx, lines: AsyncIterable<string>): Promise<number> {
  let count = 0
  let into: TableLine = { table: '', columns: [] }
  let batch: Value[][] = []
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await insert(engine, tx, into, batch)
    batch = []
  }
  for await (const line of lines) {
    const content = JSON.parse(line) as Value[] | TableLine
    if (!Array.isArray(content)) {
      await flush()
      into = content
      continue
    }
    count++
    if (batch.push(content) === rowsAtOnce) await flush()
  }
  await flush()
  return count
}

async function insert(engine: Engine, tx: Tx, { table, columns }: TableLine, rows: Value[][]): Promise<void> {
  const values: unknown[] = []
  const placeholder = (value: Value): string => {
    const stored = fromValue(value)
    // text of PostgreSQL cannot contain NUL, but a job log on SQLite can
    const n = values.push(
      engine === 'postgres' && typeof stored === 'string' ? stored.replaceAll('\0', '\uFFFD') : stored,
    )
    return engine === 'postgres' ? `$${n}` : '?'
  }
  const tuples = rows.map((row) => `(${row.map(placeholder).join(', ')})`)
  const statement = `insert into ${quoteName(table)} (${columns.map(quoteName).join(', ')}) values ${tuples.join(', ')}`
  await tx.executeQuery(CompiledQuery.raw(statement, values))
}

/** PostgreSQL counts separately from the rows; SQLite continues after the largest number. */
async function continueAuditEntries(engine: Engine, tx: Tx): Promise<void> {
  if (engine !== 'postgres') return
  for (const table of ['auditEntries', 'pendingAuditEntries']) {
    const sequence = sql`pg_get_serial_sequence(${quoteName(table)}, 'id')`
    const last = sql`select setval(${sequence}, greatest(max("id"), 1), max("id") is not null) from ${sql.table(table)}`
    await last.execute(tx)
  }
}

/** The next event gets a number that no client has seen, also when the backup contains no event. */
async function continueEvents(engine: Engine, tx: Tx, last: number): Promise<void> {
  if (engine === 'postgres') {
    const sequence = sql`pg_get_serial_sequence('"events"', 'sequence')`
    await sql`select setval(${sequence}, greatest(${last}::bigint, 1), ${last}::bigint > 0)`.execute(tx)
  } else {
    await sql`delete from sqlite_sequence where name = 'events'`.execute(tx)
    await sql`insert into sqlite_sequence (name, seq) values ('events', cast(${last} as integer))`.execute(tx)
  }
}
