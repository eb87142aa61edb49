import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '@wharf/database/open.ts'
import { openPostgres } from '@wharf/database/postgres.ts'
import { type OpenedDatabase, openSqlite } from '@wharf/database/sqlite.ts'
import pg from 'pg'
import { temporaryFolder } from '../temporary-folder.ts'

/** The engine this test run is about: PostgreSQL when the run names one, else SQLite. */
export const testEngine = process.env.TEST_POSTGRES_URL === undefined ? 'sqlite' : 'postgres'

const admin = process.env.TEST_POSTGRES_URL ?? ''

interface PostgresDatabase {
  readonly url: string
  remove(): Promise<void>
}

/** An empty PostgreSQL database on the run's server, dropped by `remove`. */
export const freshPostgresDatabase = (): Promise<PostgresDatabase> => copyOf('template1')

/** As a server leaves it that has only migrated it. */
export async function migratedPostgresDatabase(): Promise<PostgresDatabase> {
  ready ??= migrateTemplate()
  await ready
  return copyOf(migrated)
}

/** A copy takes a quarter of what the migrations take; every process of the run copies the same. */
const migrated = 'wharf_migrated'
let ready: Promise<void> | undefined

async function migrateTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  try {
    // concurrent processes wait here; the lock ends with the connection
    await client.query(`select pg_advisory_lock(hashtext('${migrated}'))`)
    const { rowCount } = await client.query(`select from pg_database where datname = '${migrated}' and datistemplate`)
    if (rowCount === 1) return
    await client.query(`create database ${migrated}`)
    const database = openPostgres(addressOf(migrated))
    await migrate(database).finally(() => database.close())
    await client.query(`alter database ${migrated} is_template true allow_connections false`)
  } finally {
    await client.end()
  }
}

async function copyOf(template: string): Promise<PostgresDatabase> {
  const name = `t${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  // without fsync, files are copied more cheaply than pages are logged
  await adminPool().query(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: addressOf(name),
    remove: async () => void (await adminPool().query(`drop database ${name} with (force)`)),
  }
}

/** One connection of this process: a new one takes longer than creating a database. */
function adminPool(): pg.Pool {
  // a connection that ends while it is idle is replaced by the next query
  opened ??= new pg.Pool({ connectionString: admin, max: 1, allowExitOnIdle: true }).on('error', () => {})
  return opened
}
let opened: pg.Pool | undefined

function addressOf(name: string): string {
  const url = new URL(admin)
  url.pathname = `/${name}`
  return url.href
}

/** A migrated, empty database of this run's engine, removed after the test. */
export async function testDatabase(t: { after(work: () => Promise<void>): void }): Promise<OpenedDatabase> {
  if (testEngine === 'postgres') {
    const { url, remove } = await migratedPostgresDatabase()
    const database = openPostgres(url)
    t.after(async () => {
      await database.close()
      await remove()
    })
    return database
  }
  const folder = mkdtempSync(join(temporaryFolder(), 'wharf-test-'))
  const file = join(folder, 'wharf.db')
  writeFileSync(file, await migratedSqliteDatabase())
  const database = openSqlite(file)
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  return database
}

/** The bytes of a SQLite database that has its tables: half of what a server's start takes, done once per process. */
export function migratedSqliteDatabase(): Promise<Buffer> {
  migratedBytes ??= migrateSqlite()
  return migratedBytes
}
let migratedBytes: Promise<Buffer> | undefined

async function migrateSqlite(): Promise<Buffer> {
  const folder = mkdtempSync(join(temporaryFolder(), 'wharf-test-'))
  try {
    const file = join(folder, 'wharf.db')
    const database = openSqlite(file)
    await migrate(database).finally(() => database.close())
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
