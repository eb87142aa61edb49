import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type MigrationInfo, Migrator } from 'kysely/migration'
import type { Secret } from '../platform/secret.ts'
import { migrations } from './migrations/index.ts'
import { openPostgres } from './postgres.ts'
import { type OpenedDatabase, openSqlite } from './sqlite.ts'

/** SQLite in the data folder, unless a PostgreSQL is named. */
export const openDatabase = (settings: { data: string; databaseUrl?: Secret | undefined }): OpenedDatabase =>
  settings.databaseUrl === undefined
    ? openSqlite(join(settings.data, 'wharf.db'))
    : openPostgres(settings.databaseUrl.reveal())

async function runStatements(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(/;\s*\n/)) if (statement.trim() !== '') await sql.raw(statement).execute(db)
}

const migrator = (database: OpenedDatabase): Migrator =>
  new Migrator({
    db: database.writer,
    provider: { getMigrations: async () => migrations(database.engine, runStatements) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrationsLock',
  })

export async function pendingMigrations(database: OpenedDatabase): Promise<string[]> {
  const known: readonly MigrationInfo[] = await migrator(database).getMigrations()
  return known.filter((m) => m.executedAt === undefined).map((m) => m.name)
}

/** Under a lock, so that nodes may start at the same time. */
export async function migrate(database: OpenedDatabase): Promise<string[]> {
  const { error, results } = await migrator(database).migrateToLatest()
  if (error) throw new Error('a database migration failed', { cause: error })
  return (results ?? []).map((r) => r.migrationName)
}
