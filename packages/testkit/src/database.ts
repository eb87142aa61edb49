import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@wharf/server/database/open.ts'
import { openPostgres } from '@wharf/server/database/postgres.ts'
import { type OpenedDatabase, openSqlite } from '@wharf/server/database/sqlite.ts'
import pg from 'pg'

/** The engine this test run is about: PostgreSQL when the run names one, else SQLite. */
export const testEngine = process.env.TEST_POSTGRES_URL === undefined ? 'sqlite' : 'postgres'

/** A fresh PostgreSQL database on the run's server, dropped by `remove`. */
export async function freshPostgresDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  const admin = process.env.TEST_POSTGRES_URL ?? ''
  const name = `t${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await query(admin, `create database ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return {
    url: url.href,
    remove: () => query(admin, `drop database ${name} with (force)`),
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A migrated, empty database of this run's engine, gone after the test. */
export async function testDatabase(t: { after(work: () => Promise<void>): void }): Promise<OpenedDatabase> {
  if (testEngine === 'postgres') {
    const { url, remove } = await freshPostgresDatabase()
    const database = openPostgres(url)
    t.after(async () => {
      await database.close()
      await remove()
    })
    await migrate(database)
    return database
  }
  const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  const database = openSqlite(join(folder, 'wharf.db'))
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  await migrate(database)
  return database
}
