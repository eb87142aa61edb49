import { migrationNames, migrations } from '@wharf/database/migrations/index.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'

export const olderTags: readonly string[] = Array.from({ length: 200 }, (_, number) => `tag ${number}`)

/** Makes of an empty database what the first releases left, with something in it. */
export async function makeOlder(database: OpenedDatabase): Promise<void> {
  const migrator = new Migrator({
    db: database.writer,
    provider: { getMigrations: async () => migrations(database.engine, runStatements) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrationsLock',
  })
  const { error } = await migrator.migrateTo(migrationNames[1] ?? '')
  if (error) throw error
  const rows = olderTags.map((name, number) => {
    return { uuid: number.toString(16).padStart(32, '0'), name, color: null, createDate: number, lastOpDate: number }
  })
  await database.transaction((tx) => tx.insertInto('tags').values(rows).execute())
}

async function runStatements(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(/;\s*\n/)) if (statement.trim() !== '') await sql.raw(statement).execute(db)
}
