import { lstatSync, realpathSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { leastFreeBytes } from '@wharf/platform/data-disk.ts'
import { OperatorError, reasonOf } from '@wharf/platform/operator-error.ts'
import type { Secret } from '@wharf/platform/secret.ts'
import { type Kysely, sql } from 'kysely'
import { type MigrationInfo, Migrator } from 'kysely/migration'
import type { ReportFailure } from './database.ts'
import { isConnectionFailure, isDamaged, isDiskFailure, isReadOnlyFile, isRefusedByServer } from './failures.ts'
import { migrationNames, migrations } from './migrations/index.ts'
import { type OpenedDatabase, openSqlite } from './sqlite.ts'
import { damagedFile } from './sqlite-check.ts'

/** The resolved path: SQLite keeps the log beside the file, not beside a link to it. */
export function sqliteFile(data: string): string {
  const path = join(data, 'wharf.db')
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path
  } catch {
    return path
  }
}

/** SQLite in the data folder, unless a PostgreSQL is named. */
export async function openDatabase(
  settings: { data: string; databaseUrl?: Secret | undefined },
  report?: ReportFailure,
): Promise<OpenedDatabase> {
  if (settings.databaseUrl !== undefined) {
    // loaded on demand: a start with SQLite does not need it
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(settings.databaseUrl.reveal(), undefined, report)
  }
  const file = sqliteFile(settings.data)
  try {
    return openSqlite(file, undefined, report)
  } catch (cause) {
    if (isDamaged(cause)) throw damagedFile(file, [reasonOf(cause)])
    const reason = (isDiskFailure(cause) && fullDisk(dirname(file))) || reasonOf(cause)
    throw new OperatorError(`the database ${file} cannot be opened: ${reason}`, { cause })
  }
}

/** SQLite reports a full disk as an I/O error where it maps its index. */
function fullDisk(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  return freeBytes < leastFreeBytes
    ? `its disk is full, with ${Math.floor(freeBytes / 1024)} KiB free; free space in ${folder}`
    : undefined
}

async function runStatements(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(/;\s*\n/)) if (statement.trim() !== '') await sql.raw(statement).execute(db)
}

const migrator = (database: OpenedDatabase): Migrator =>
  new Migrator({
    db: database.writer,
    provider: { getMigrations: async () => migrations(database.engine, runStatements) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrationsLock',
    // the default, localeCompare, loads collation rules, which takes longer than all statements of a start
    nameComparator: (one, other) => (one < other ? -1 : 1),
  })

export async function pendingMigrations(database: OpenedDatabase): Promise<string[]> {
  try {
    const known: readonly MigrationInfo[] = await migrator(database).getMigrations()
    return known.filter((m) => m.executedAt === undefined).map((m) => m.name)
  } catch (error) {
    throw explained(error)
  }
}

/** Whether exactly the known migrations were applied. The migrator reads the definitions of all tables to find that out. */
async function isUpToDate({ writer }: OpenedDatabase): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select "name" from "migrations"`.execute(writer)
    const applied = new Set(rows.map(({ name }) => name))
    return applied.size === migrationNames.length && migrationNames.every((name) => applied.has(name))
  } catch (error) {
    if (isConnectionFailure(error)) throw explained(error)
    // an empty database has no such table
    return false
  }
}

/** Under a lock, so that nodes may start at the same time. */
export async function migrate(database: OpenedDatabase): Promise<string[]> {
  if (await isUpToDate(database)) return []
  const { error, results } = await migrator(database).migrateToLatest()
  if (error) throw explained(error)
  return (results ?? []).map((r) => r.migrationName)
}

/** The first use of a database reports why it cannot be used. */
function explained(cause: unknown): Error {
  // the text, which names the address; several addresses that all refuse have one each
  const { message: reason } = (cause as AggregateError).errors?.[0] ?? cause
  const [, newer] = /previously executed migration (\S+) is missing/.exec(reason) ?? []
  if (newer !== undefined)
    return new OperatorError(`the database is of a newer Wharf: this one does not know ${newer}`, { cause })
  if (isConnectionFailure(cause) || isRefusedByServer(cause))
    return new OperatorError(`the PostgreSQL of WHARF_DATABASE_URL cannot be used: ${reason}`, { cause })
  const message = `the database could not be brought up to date: ${reason}`
  return isDiskFailure(cause) || isReadOnlyFile(cause)
    ? new OperatorError(message, { cause })
    : new Error(message, { cause })
}
