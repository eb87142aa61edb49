import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'
import { isDiskFailure } from './failures.ts'
import { migrate } from './open.ts'
import { type OpenedDatabase, openSqlite } from './sqlite.ts'
import type { DiskProbe } from './sqlite-faults.ts'

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

/** Records what is executed without preparation, from now on; `before` may throw instead. */
function recordStatements(t: TestContext, before: (text: string) => void = () => {}): string[] {
  const statements: string[] = []
  const exec = DatabaseSync.prototype.exec
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, text: string) {
    statements.push(text)
    before(text)
    exec.call(this, text)
  })
  return statements
}

const ended = (outcomes: PromiseSettledResult<unknown>[]): string[] =>
  outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : (outcome.reason as Error).message))

/** So that a busy machine does not end the time to join. */
const stopTime = (t: TestContext) => t.mock.method(performance, 'now', () => 0)

const count = (statements: readonly string[], text: string): number => statements.filter((one) => one === text).length

test('concurrent transactions share a commit, and none settles before it', async (t) => {
  const database = await newDatabase(t)
  stopTime(t)
  const statements = recordStatements(t)
  const missing: string[] = []
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      await database.transaction((tx) => write(tx, `name ${index}`))
      if (!(await names(database)).includes(`name ${index}`)) missing.push(`name ${index}`)
    }),
  )
  assert.deepEqual(missing, [])
  assert.equal((await names(database)).length, 100)
  assert.deepEqual(
    [count(statements, 'begin immediate'), count(statements, 'savepoint "part"'), count(statements, 'commit')],
    [1, 99, 1],
  )
})

test('transactions of one turn of the event loop share a commit, though none waits for another', async (t) => {
  const database = await newDatabase(t)
  stopTime(t)
  const statements = recordStatements(t)
  const arrived = new EventTarget()
  const written: Promise<unknown>[] = []
  for (const name of ['a', 'b', 'c'])
    arrived.addEventListener('requests', () =>
      process.nextTick(() => written.push(database.transaction((tx) => write(tx, name)))),
    )
  arrived.dispatchEvent(new Event('requests'))
  await new Promise(setImmediate)
  await Promise.all(written)
  assert.equal(count(statements, 'commit'), 1)
  assert.deepEqual(await names(database), ['a', 'b', 'c'])
})

test('after some milliseconds no transaction joins any more, however many wait', async (t) => {
  const database = await newDatabase(t)
  let now = 0
  t.mock.method(performance, 'now', () => now++)
  const statements = recordStatements(t)
  await Promise.all(Array.from({ length: 50 }, (_, index) => database.transaction((tx) => write(tx, `name ${index}`))))
  assert.equal((await names(database)).length, 50)
  assert.ok(count(statements, 'commit') >= 10, `there were ${count(statements, 'commit')} commits`)
})

test('a single transaction has its own commit and no savepoint', async (t) => {
  const database = await newDatabase(t)
  const statements = recordStatements(t)
  for (const name of ['a', 'b']) await database.transaction((tx) => write(tx, name))
  assert.deepEqual(statements, ['begin immediate', 'commit', 'begin immediate', 'commit'])
})

test('a large transaction does not join the commit of those before it', async (t) => {
  const database = await newDatabase(t)
  // the first one of a kind starts a little later
  await database.transaction((tx) => write(tx, 'earlier'), { isLarge: true })
  stopTime(t)
  const statements = recordStatements(t)
  await Promise.all([
    database.transaction((tx) => write(tx, 'a')),
    database.transaction((tx) => write(tx, 'b')),
    database.transaction((tx) => write(tx, 'large'), { isLarge: true }),
    assert.rejects(
      database.transaction((tx) => write(tx, 'a'), { isLarge: true }),
      /UNIQUE/,
    ),
    database.transaction((tx) => write(tx, 'c')),
  ])
  assert.deepEqual(await names(database), ['a', 'b', 'c', 'earlier', 'large'])
  assert.deepEqual(statements, [
    ...['begin immediate', 'savepoint "part"', 'release "part"', 'commit'],
    ...['begin immediate', 'commit'],
    ...['begin immediate', 'rollback'],
    ...['begin immediate', 'commit'],
  ])
})

test('a failed transaction rolls back nothing of those that share its commit', async (t) => {
  const database = await newDatabase(t)
  stopTime(t)
  const statements = recordStatements(t)
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((name) =>
      database.transaction(async (tx) => {
        await write(tx, name)
        if (name === 'a' || name === 'c') throw new Error('rolled back on purpose')
      }),
    ),
  )
  assert.deepEqual(ended(outcomes), ['rolled back on purpose', 'done', 'rolled back on purpose', 'done'])
  assert.deepEqual(await names(database), ['b', 'd'])
  assert.deepEqual([count(statements, 'rollback to "part"; release "part"'), count(statements, 'commit')], [1, 1])
})

test('a transaction that fails because of the write of another settles when that write can be read', async (t) => {
  const database = await newDatabase(t)
  stopTime(t)
  const insert = () => database.transaction((tx) => write(tx, 'same'))
  const second = async (): Promise<string[]> => {
    await assert.rejects(insert(), /UNIQUE/)
    return names(database)
  }
  const [, seen] = await Promise.all([insert(), second(), database.transaction((tx) => write(tx, 'third'))])
  assert.deepEqual(seen, ['same', 'third'])
})

test('a failed commit rolls back all that share it, and the next succeeds', async (t) => {
  const database = await newDatabase(t)
  stopTime(t)
  let isFull = true
  const statements = recordStatements(t, (text) => {
    if (text === 'commit' && isFull) throw new Error('the disk is full')
  })
  const outcomes = await Promise.allSettled([
    database.transaction((tx) => write(tx, 'a')),
    // the row that it conflicts with is rolled back
    database.transaction((tx) => write(tx, 'a')),
    database.transaction((tx) => write(tx, 'b')),
  ])
  assert.deepEqual(ended(outcomes), Array(3).fill('the disk is full'))
  assert.equal(count(statements, 'commit'), 1)
  assert.deepEqual(await names(database), [])
  isFull = false
  await database.transaction((tx) => write(tx, 'd'))
  assert.deepEqual(await names(database), ['d'])
})

for (const statement of ['savepoint "part"', 'release "part"', 'rollback to "part"; release "part"'])
  test(`a failed transaction is rolled back and every one settles when ${statement} fails`, async (t) => {
    const database = await newDatabase(t)
    stopTime(t)
    recordStatements(t, (text) => {
      if (text === statement) throw new Error('the disk is broken')
    })
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) =>
        database.transaction(async (tx) => {
          await write(tx, name)
          if (name === 'b') throw new Error('rolled back on purpose')
        }),
      ),
    )
    const kept = await names(database)
    assert.deepEqual(
      kept,
      ['a', 'b', 'c'].filter((_, index) => outcomes[index]?.status === 'fulfilled'),
    )
    assert.ok(!kept.includes('b'))
    t.mock.restoreAll()
    await database.transaction((tx) => write(tx, 'next'))
    assert.deepEqual(await names(database), [...kept, 'next'])
  })

test('when the engine rolls back automatically, all that share the commit fail, and the next succeed', async (t) => {
  const database = await newDatabase(t)
  await database.transaction((tx) => write(tx, 'existing'))
  stopTime(t)
  const outcomes = await Promise.allSettled([
    database.transaction((tx) => write(tx, 'a')),
    database.transaction(async (tx) => {
      await sql`insert or rollback into "settings" values ('existing', '')`.execute(tx).catch(() => {})
      // its transaction has ended
      await write(tx, 'late')
    }),
    database.transaction((tx) => write(tx, 'b')),
  ])
  const violated = 'UNIQUE constraint failed: settings.name'
  assert.deepEqual(ended(outcomes), [violated, violated, 'done'])
  assert.deepEqual(await names(database), ['b', 'existing'])
})

test('a statement without a transaction does not join that of others', async (t) => {
  const database = await newDatabase(t)
  const statements = recordStatements(t)
  await Promise.all([
    database.transaction((tx) => write(tx, 'a')),
    // rejected inside a transaction
    sql`vacuum`.execute(database.writer),
    database.transaction((tx) => write(tx, 'b')),
  ])
  assert.deepEqual(statements, ['begin immediate', 'commit', 'begin immediate', 'commit'])
  assert.deepEqual(await names(database), ['a', 'b'])
})

test('a statement after the end of its transaction is rejected, and does not join the next', async (t) => {
  const database = await newDatabase(t)
  stopTime(t)
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

test('a connection has one transaction: others may use it afterwards', async (t) => {
  const database = await newDatabase(t)
  const twice = database.writer.connection().execute(async (connection) => {
    await connection.transaction().execute((tx) => write(tx, 'a'))
    await connection.transaction().execute((tx) => write(tx, 'b'))
  })
  await assert.rejects(twice, /had its transaction/)
  assert.deepEqual(await names(database), ['a'])
})

test('closing rejects open transactions, and commits finished ones', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-writer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'wharf.db')
  const database = openSqlite(file)
  await migrate(database)
  const held = Promise.withResolvers<void>()
  const holding = database.transaction(async (tx) => {
    await write(tx, 'held')
    await held.promise
    await write(tx, 'never')
  })
  const behind = database.transaction((tx) => write(tx, 'behind'))
  const outcomes = Promise.allSettled([holding, behind])
  await new Promise(setImmediate)
  await database.close()
  held.resolve()
  assert.deepEqual(ended(await outcomes), ['the transaction is over', 'database is not open'])

  const again = openSqlite(file)
  const done = again.transaction((tx) => write(tx, 'done'))
  // it has finished and is not committed yet
  for (let turns = 0; turns < 50; turns++) await Promise.resolve()
  await again.close()
  await done
  const third = openSqlite(file)
  assert.deepEqual(await names(third), ['done'])
  await third.close()
})

test('a commit waits for the disk without blocking the event loop, and reads continue', async (t) => {
  const database = await newDatabase(t)
  const disk = { hanging: undefined, confirm: () => returned.promise, noteSync() {} }
  const returned = Promise.withResolvers<void>()
  Object.assign(database.faults ?? {}, { disk })
  const statements = recordStatements(t)
  const writes = Promise.all(['a', 'b'].map((name) => database.transaction((tx) => write(tx, name))))
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate)
  assert.equal(count(statements, 'commit'), 0)
  assert.deepEqual(await names(database), [])
  returned.resolve()
  await writes
  assert.deepEqual(await names(database), ['a', 'b'])
})

test('a hanging disk fails all that share a commit and those behind; all are rolled back', async (t) => {
  const database = await newDatabase(t)
  const disk: DiskProbe = { hanging: undefined, confirm: async () => Promise.reject(new Error('hangs')), noteSync() {} }
  Object.assign(database.faults ?? {}, { disk })
  const isUnavailable = (error: unknown) => isDiskFailure(error) && /hangs/.test(String(error))
  for (const name of ['a', 'b'])
    await assert.rejects(
      database.transaction((tx) => write(tx, name)),
      isUnavailable,
    )
  Object.assign(disk, { hanging: 'still hangs' })
  const statements = recordStatements(t)
  await assert.rejects(
    database.transaction((tx) => write(tx, 'c')),
    isUnavailable,
  )
  assert.deepEqual(statements, [])
  Object.assign(disk, { hanging: undefined, confirm: async () => {} })
  await database.transaction((tx) => write(tx, 'd'))
  assert.deepEqual(await names(database), ['d'])
})
