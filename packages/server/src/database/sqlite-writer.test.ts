import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'
import { migrate } from './open.ts'
import { type OpenedDatabase, openSqlite } from './sqlite.ts'

async function newDatabase(t: TestContext): Promise<OpenedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-writer-'))
  const database = openSqlite(join(folder, 'wharf.db'))
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  await migrate(database)
  return database
}

const write = (tx: Tx, name: string) => tx.insertInto('settings').values({ name, value: '' }).execute()
const names = async ({ read }: Database): Promise<string[]> =>
  (await read.selectFrom('settings').select('name').orderBy('name').execute()).map((row) => row.name)

/** What the engine is told beside the statements, from now on; `before` may throw in its place. */
function watched(t: TestContext, before: (text: string) => void = () => {}): string[] {
  const told: string[] = []
  const exec = DatabaseSync.prototype.exec
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, text: string) {
    told.push(text)
    before(text)
    exec.call(this, text)
  })
  return told
}

const ended = (outcomes: PromiseSettledResult<unknown>[]): string[] =>
  outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : (outcome.reason as Error).message))

test('transactions that wait share a commit, and none has an answer before it', async (t) => {
  const database = await newDatabase(t)
  const told = watched(t)
  const missing: string[] = []
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      await database.transaction((tx) => write(tx, `name ${index}`))
      if (!(await names(database)).includes(`name ${index}`)) missing.push(`name ${index}`)
    }),
  )
  assert.deepEqual(missing, [])
  assert.equal((await names(database)).length, 200)
  const commits = told.filter((text) => text === 'commit').length
  assert.ok(commits > 0 && commits < 200, `there were ${commits} commits`)
})

test('one that is alone has a commit of its own and no savepoint', async (t) => {
  const database = await newDatabase(t)
  const told = watched(t)
  for (const name of ['a', 'b']) await database.transaction((tx) => write(tx, name))
  assert.deepEqual(told, ['begin immediate', 'commit', 'begin immediate', 'commit'])
})

test('one that fails takes nothing of those with it that share its commit', async (t) => {
  const database = await newDatabase(t)
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((name) =>
      database.transaction(async (tx) => {
        await write(tx, name)
        if (name === 'a' || name === 'c') throw new Error('changed my mind')
      }),
    ),
  )
  assert.deepEqual(ended(outcomes), ['changed my mind', 'done', 'changed my mind', 'done'])
  assert.deepEqual(await names(database), ['b', 'd'])
})

test('a commit that fails fails all that share it; nothing of them is kept, and the next goes through', async (t) => {
  const database = await newDatabase(t)
  let isFull = true
  watched(t, (text) => {
    if (text === 'commit' && isFull) throw new Error('the disk is full')
  })
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => database.transaction((tx) => write(tx, name))),
  )
  assert.deepEqual(ended(outcomes), Array(3).fill('the disk is full'))
  assert.deepEqual(await names(database), [])
  isFull = false
  await database.transaction((tx) => write(tx, 'd'))
  assert.deepEqual(await names(database), ['d'])
})

test('when the engine rolls back by itself, all fail that had a part in it, and those behind go on', async (t) => {
  const database = await newDatabase(t)
  await database.transaction((tx) => write(tx, 'there'))
  const outcomes = await Promise.allSettled([
    database.transaction((tx) => write(tx, 'a')),
    database.transaction((tx) => sql`insert or rollback into "settings" values ('there', '')`.execute(tx)),
    database.transaction((tx) => write(tx, 'b')),
  ])
  const violated = 'UNIQUE constraint failed: settings.name'
  assert.deepEqual(ended(outcomes), [violated, violated, 'done'])
  assert.deepEqual(await names(database), ['b', 'there'])
})

test('a statement without a transaction is no part of that of others', async (t) => {
  const database = await newDatabase(t)
  const told = watched(t)
  await Promise.all([
    database.transaction((tx) => write(tx, 'a')),
    // refused inside of a transaction
    sql`pragma wal_checkpoint`.execute(database.writer),
    sql`vacuum`.execute(database.writer),
    database.transaction((tx) => write(tx, 'b')),
  ])
  assert.deepEqual(told, ['begin immediate', 'commit', 'begin immediate', 'commit'])
  assert.deepEqual(await names(database), ['a', 'b'])
})

test('what comes after the end of a transaction is refused, and no part of the next', async (t) => {
  const database = await newDatabase(t)
  let late: Tx | undefined
  const first = database.transaction(async (tx) => {
    late = tx
    await write(tx, 'a')
  })
  const second = database.transaction(async (tx) => {
    await write(tx, 'b')
    if (late) await assert.rejects(write(late, 'late'), /the transaction is over/)
  })
  await Promise.all([first, second])
  assert.deepEqual(await names(database), ['a', 'b'])
})
