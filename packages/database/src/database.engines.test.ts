import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { testDatabase } from '@wharf/testkit'
import { sql } from 'kysely'
import { afterCommit, type Database, type Tx } from './database.ts'

const guarded = /inside a transaction use the transaction, not the database/

const write = (tx: Tx, name: string, value = '') => tx.insertInto('settings').values({ name, value }).execute()
const names = async (reader: Database['read'] | Tx): Promise<string[]> =>
  (await reader.selectFrom('settings').select('name').orderBy('name').execute()).map((row) => row.name)

test('what a transaction wrote exists after it, and nothing of one that failed', async (t) => {
  const database = await testDatabase(t)
  const made = await database.transaction(async (tx) => {
    await write(tx, 'kept')
    return 'result'
  })
  assert.equal(made, 'result')
  const failing = database.transaction(async (tx) => {
    await write(tx, 'lost')
    throw new Error('rolled back on purpose')
  })
  await assert.rejects(failing, /rolled back on purpose/)
  assert.deepEqual(await names(database.read), ['kept'])
})

test('inside a transaction the database itself throws, and the transaction is rolled back', async (t) => {
  const database = await testDatabase(t)
  const uses: Record<string, () => Promise<unknown>> = {
    read: async () => database.read.selectFrom('settings').selectAll().execute(),
    rows: () => database.rows('select 1 as one', []),
    'another transaction': () => database.transaction((tx) => write(tx, 'inner')),
    'a read after a delay': async () => {
      await delay(1)
      return database.read.selectFrom('settings').selectAll().execute()
    },
  }
  for (const [name, use] of Object.entries(uses)) {
    const working = database.transaction(async (tx) => {
      await write(tx, 'outer')
      await use()
    })
    await assert.rejects(working, guarded, name)
  }
  assert.deepEqual(await names(database.read), [])
  await database.transaction((tx) => write(tx, 'still usable'))
})

test('the guard is lifted when the transaction ends, however it ends', async (t) => {
  const database = await testDatabase(t)
  await database.transaction((tx) => write(tx, 'a'))
  await assert.rejects(
    database.transaction(async () => {
      throw new Error('no')
    }),
  )
  assert.deepEqual(await names(database.read), ['a'])
  assert.deepEqual((await database.rows('select "name" from "settings"', [])).lists, [['a']])
})

test('a reader sees nothing of a transaction that is not committed', async (t) => {
  const database = await testDatabase(t)
  const written = Promise.withResolvers<void>()
  const checked = Promise.withResolvers<void>()
  const working = database.transaction(async (tx) => {
    await write(tx, 'new')
    assert.deepEqual(await names(tx), ['new'])
    written.resolve()
    await checked.promise
  })
  await written.promise
  assert.deepEqual(await names(database.read), [])
  checked.resolve()
  await working
  assert.deepEqual(await names(database.read), ['new'])
})

test('concurrent transactions do not mix: a failed one rolls back nothing of the others', async (t) => {
  const database = await testDatabase(t)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      database.transaction(async (tx) => {
        await write(tx, `name ${index}`)
        await delay(index % 3)
        if (index % 4 === 0) throw new Error('this one fails')
      }),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 10)
  const kept = Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 4 !== 0)
  assert.deepEqual((await names(database.read)).sort(), kept.map((index) => `name ${index}`).sort())
})

test('a lock blocks others that request the same name, until the transaction ends', async (t) => {
  const database = await testDatabase(t)
  await database.transaction((tx) => write(tx, 'counter', '0'))
  // reads, waits, writes: without the lock counts would be lost
  const count = () =>
    database.transaction(async (tx) => {
      await database.lock(tx, 'counting')
      const { value } = await tx.selectFrom('settings').select('value').executeTakeFirstOrThrow()
      await delay(1)
      await tx
        .updateTable('settings')
        .set({ value: String(Number(value) + 1) })
        .execute()
    })
  await Promise.all(Array.from({ length: 20 }, count))
  const { value } = await database.read.selectFrom('settings').select('value').executeTakeFirstOrThrow()
  assert.equal(value, '20')
})

test('work after the commit runs once, in order, and not after a rollback', async (t) => {
  const database = await testDatabase(t)
  const done: string[] = []
  await database.transaction(async (tx) => {
    afterCommit(tx, () => done.push('first'))
    await write(tx, 'a')
    afterCommit(tx, () => done.push('second'))
    assert.deepEqual(done, [])
  })
  await assert.rejects(
    database.transaction(async (tx) => {
      afterCommit(tx, () => done.push('never'))
      throw new Error('no')
    }),
  )
  assert.deepEqual(done, ['first', 'second'])
})

test('work after the commit may use the database', async (t) => {
  const database = await testDatabase(t)
  const seen = Promise.withResolvers<string[]>()
  await database.transaction(async (tx) => {
    await write(tx, 'a')
    afterCommit(tx, () => names(database.read).then(seen.resolve, seen.reject))
  })
  assert.deepEqual(await seen.promise, ['a'])
})

test('sizes beyond 32 bits, sums, null and bytes are read as they were written', async (t) => {
  const database = await testDatabase(t)
  const big = Number.MAX_SAFE_INTEGER
  const bytes = Buffer.from([0, 1, 254, 255])
  const rest = { fingerprint: 'f', jobUuid: null, sealedAnswer: bytes, createDate: big - 1 }
  const row = { key: 'k', accountUuid: 'a', userUuid: null, ...rest }
  await database.transaction((tx) => tx.insertInto('idempotencyKeys').values(row).execute())
  const read = await database.read.selectFrom('idempotencyKeys').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual({ ...read, sealedAnswer: Buffer.from(read.sealedAnswer ?? []) }, row)
  const sums = await sql<{ sum: number }>`select sum("createDate") + 1 as "sum" from "idempotencyKeys"`.execute(
    database.read,
  )
  assert.deepEqual(sums.rows[0]?.sum, big)
})
