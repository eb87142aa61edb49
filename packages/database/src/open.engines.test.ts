import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { freshPostgresDatabase, testDatabase, testEngine } from '@wharf/testkit'
import { sql } from 'kysely'
import { migrationNames } from './migrations/index.ts'
import { migrate, openDatabase, pendingMigrations } from './open.ts'
import { openPostgres } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-open-'))
after(() => rmSync(folder, { recursive: true }))

const refusal = (text: RegExp) => (error: unknown) =>
  error instanceof OperatorError && text.test(error.message) && !/\n|hidden/.test(error.message)

test('a migrated database has no pending migrations, and migrating again changes nothing', async (t) => {
  const database = await testDatabase(t)
  assert.deepEqual(await pendingMigrations(database), [])
  assert.deepEqual(await migrate(database), [])
})

test('an empty database lists all pending migrations, and is not changed by the query', async (t) => {
  const { open, close } = await emptyDatabase()
  t.after(close)
  const database = await open()
  t.after(() => database.close())
  assert.deepEqual(await pendingMigrations(database), migrationNames)
  assert.deepEqual(await pendingMigrations(database), migrationNames)
  assert.deepEqual(await migrate(database), migrationNames)
})

test('a database of a newer Wharf is refused by its name', async (t) => {
  const database = await testDatabase(t)
  await sql`insert into "migrations" ("name", "timestamp") values ('9999-from-the-future', 'now')`.execute(
    database.writer,
  )
  await assert.rejects(
    migrate(database),
    refusal(/^the database is of a newer Wharf: this one does not know 9999-from-the-future$/),
  )
})

test('a migration that fails leaves nothing behind', async (t) => {
  const { open, close } = await emptyDatabase()
  t.after(close)
  const database = await open()
  t.after(() => database.close())
  await sql`create table "tags" ("in the way" text)`.execute(database.writer)
  await assert.rejects(
    migrate(database),
    /^Error: the database could not be brought up to date: .*tags.* already exists/,
  )
  await assert.rejects(sql`select * from "accounts"`.execute(database.writer), /accounts/)
  await sql`drop table "tags"`.execute(database.writer)
  assert.deepEqual(await migrate(database), migrationNames)
})

if (testEngine === 'postgres') {
  test('nodes that start at the same time migrate once', async (t) => {
    const { url, remove } = await freshPostgresDatabase()
    t.after(remove)
    const nodes = Array.from({ length: 4 }, () => openPostgres(url))
    t.after(() => Promise.all(nodes.map((node) => node.close())).then(() => {}))
    const done = await Promise.all(nodes.map(migrate))
    assert.deepEqual(done.flat(), migrationNames)
  })
}

const away: Record<string, [url: string, reason: RegExp]> = {
  'nobody listens': ['postgres://wharf:hidden@127.0.0.1:1/wharf', /connect ECONNREFUSED 127\.0\.0\.1:1$/],
  'there is no socket': [
    `postgres://wharf:hidden@localhost/wharf?host=${encodeURIComponent(folder)}`,
    /connect ENOENT .*\.s\.PGSQL\.5432$/,
  ],
}
if (process.env.TEST_POSTGRES_URL !== undefined) {
  const elsewhere = new URL(process.env.TEST_POSTGRES_URL)
  elsewhere.pathname = '/no_such_database'
  away['there is no such database'] = [elsewhere.href, /database "no_such_database" does not exist$/]
}
for (const [name, [url, reason]] of Object.entries(away)) {
  test(`one line reports that PostgreSQL cannot be used: ${name}`, async () => {
    const database = await openDatabase({ data: folder, databaseUrl: Secret.of(url) })
    const words = new RegExp(`^the PostgreSQL of WHARF_DATABASE_URL cannot be used: ${reason.source}`)
    await assert.rejects(migrate(database), refusal(words))
    await assert.rejects(pendingMigrations(database), refusal(words))
    await database.close()
  })
}

async function emptyDatabase() {
  if (testEngine === 'postgres') {
    const { url, remove } = await freshPostgresDatabase()
    return { open: () => openPostgres(url), close: remove }
  }
  const data = mkdtempSync(join(folder, 'data-'))
  return { open: () => openDatabase({ data }), close: async () => rmSync(data, { recursive: true }) }
}
