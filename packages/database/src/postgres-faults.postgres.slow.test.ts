import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assertFailure,
  DatabaseProxy,
  freshPostgresDatabase,
  reverseCleanup,
  serverEnvironment,
  TestServer,
  testEngine,
} from '@wharf/testkit'
import { sql } from 'kysely'
import { afterCommit, outsideTransaction } from './database.ts'
import { isConnectionFailure } from './failures.ts'
import { migrate } from './open.ts'
import { openPostgres } from './postgres.ts'
import { postgresAddresses } from './postgres-addresses.ts'
import type { OpenedDatabase } from './sqlite.ts'

const write = (database: OpenedDatabase, name: string) =>
  database.transaction((tx) => tx.insertInto('settings').values({ name, value: '' }).execute())
const namesIn = async (database: OpenedDatabase): Promise<string[]> =>
  (await database.rows('select "name" from "settings" order by 1', [])).lists.map(([name]) => String(name))

/** A database that is reached through a gate, and past it. */
async function gated(t: TestContext, limits: Parameters<typeof openPostgres>[1] = { max: 3, queryMs: 3000 }) {
  const cleanup = reverseCleanup(t)
  const { url, remove } = await freshPostgresDatabase()
  cleanup.after(remove)
  const gate = await DatabaseProxy.to(url, cleanup)
  const [database, past] = [openPostgres(gate.url, limits), openPostgres(url)]
  for (const one of [database, past]) cleanup.after(() => one.close())
  await migrate(past)
  return { gate, database, past }
}

test('an address may name several servers, as libpq writes it', () => {
  const rows: [string, string[]][] = [
    ['postgres://u:p@a:1,b:2/db?x=y', ['postgres://u:p@a:1/db?x=y', 'postgres://u:p@b:2/db?x=y']],
    ['postgresql://[::1]:1,b/db', ['postgresql://[::1]:1/db', 'postgresql://b/db']],
    ['postgres://u@/db?host=/run/a,b', ['postgres://u@/db?host=/run/a,b']],
    ['postgres://u:a,b@one/db', ['postgres://u:a,b@one/db']],
    ['postgres://a,b/db?target_session_attrs=read-write', ['postgres://a/db', 'postgres://b/db']],
    ['postgres://a/db?target_session_attrs=any&sslmode=require', ['postgres://a/db?sslmode=require']],
  ]
  for (const [url, addresses] of rows) assert.deepEqual(postgresAddresses(url), addresses)
})

if (testEngine === 'postgres')
  suite('PostgreSQL, when it fails', { concurrency: true }, () => {
    test('a silent connection fails calls in time, and later ones use another', async (t) => {
      const { gate, database, past } = await gated(t)
      await Promise.all(['a', 'b', 'c'].map((name) => write(database, name)))
      gate.freeze()
      const began = performance.now()
      const calls = await Promise.allSettled(['d', 'e', 'f', 'g', 'h'].map((name) => write(database, name)))
      for (const call of calls) assert.ok(call.status === 'rejected' && isConnectionFailure(call.reason), call.status)
      assert.ok(performance.now() - began < 30_000)
      gate.thaw()
      await write(database, 'i')
      assert.deepEqual(await namesIn(past), ['a', 'b', 'c', 'i'])
    })

    test('a row that a vanished node holds and waits for is free after one timeout, not one after the other', async (t) => {
      const locks = { waitMs: 500, idleInTransactionMs: 1500 }
      const { gate, database, past } = await gated(t, { max: 4, queryMs: 3000, locks })
      await write(database, 'held')
      const touch = (one: OpenedDatabase, { isUrgent = false, until = Promise.resolve() } = {}) =>
        one.transaction(
          async (tx) => {
            await tx.updateTable('settings').set({ value: 'touched' }).where('name', '=', 'held').execute()
            await until
          },
          { isUrgent },
        )
      const release = Promise.withResolvers<void>()
      const holding = [touch(database, { until: release.promise })]
      await delay(200)
      // behind the write of a job: the next write, and the renewal of its lease
      for (const isUrgent of [false, true]) holding.push(touch(database, { isUrgent, until: release.promise }))
      await delay(200)
      gate.freeze()
      const began = performance.now()
      await touch(past)
      const ms = performance.now() - began
      assert.ok(ms < 2 * locks.idleInTransactionMs, `${ms} ms`)
      release.resolve()
      for (const one of await Promise.allSettled(holding)) assert.equal(one.status, 'rejected')
    })

    test('calls wait for a connection when all are in use, and fail when that takes too long', async (t) => {
      const { database } = await gated(t, { max: 2, queryMs: 20_000 })
      const release = Promise.withResolvers<void>()
      const holding = [1, 2].map((number) =>
        database.transaction(async (tx) => {
          await tx
            .insertInto('settings')
            .values({ name: `held ${number}`, value: '' })
            .execute()
          await release.promise
        }),
      )
      await assert.rejects(write(database, 'too late'), isConnectionFailure)
      const waiting = write(database, 'in time')
      release.resolve()
      await Promise.all([...holding, waiting])
      assert.deepEqual(await namesIn(database), ['held 1', 'held 2', 'in time'])
    })

    test('two transactions that deadlock both commit, and each publishes once', async (t) => {
      const { database } = await gated(t, { max: 3, queryMs: 20_000 })
      for (const name of ['a', 'b']) await write(database, name)
      let attempts = 0
      const published: string[] = []
      const touch = (first: string, second: string) =>
        database.transaction(async (tx) => {
          attempts++
          afterCommit(tx, () => published.push(first))
          await tx.updateTable('settings').set({ value: first }).where('name', '=', first).execute()
          if (attempts <= 2) await delay(300)
          await tx.updateTable('settings').set({ value: first }).where('name', '=', second).execute()
        })
      await Promise.all([touch('a', 'b'), touch('b', 'a')])
      assert.ok(attempts > 2, 'no transaction was retried')
      assert.deepEqual(published.toSorted(), ['a', 'b'])
    })

    test('work that refers to a row that was just deleted reads again, and finds it deleted', async (t) => {
      const { database } = await gated(t, { max: 3, queryMs: 20_000 })
      const dates = { createDate: 0, lastOpDate: 0 }
      const account = { uuid: 'a', name: 'a', description: null, ...dates }
      await database.transaction((tx) => tx.insertInto('accounts').values(account).execute())
      let reads = 0
      const adding = database.transaction(async (tx) => {
        reads++
        const found = await tx.selectFrom('accounts').select('uuid').executeTakeFirst()
        if (found === undefined) throw new Error('there is no such account')
        if (reads === 1)
          await outsideTransaction(() => database.transaction((other) => other.deleteFrom('accounts').execute()))
        const user = { uuid: 'u', accountUuid: 'a', name: 'u', role: 'reader', passwordHash: '', description: null }
        await tx
          .insertInto('users')
          .values({ ...user, ...dates, role: 'reader', scope: '[]' })
          .execute()
      })
      await assert.rejects(adding, /there is no such account/)
      assert.equal(reads, 2)
    })

    test('connections to a server that accepts no writes any more are closed, and the work uses others', async (t) => {
      const { database } = await gated(t, { max: 3, queryMs: 20_000 })
      await write(database, 'a')
      // as they would be after the server behind the address has become a standby
      const spoil = sql`select set_config('default_transaction_read_only', 'on', false), pg_sleep(0.2)`
      await Promise.all([1, 2, 3].map(() => spoil.execute(database.read)))
      await write(database, 'b')
      assert.deepEqual(await namesIn(database), ['a', 'b'])
    })

    test('a call whose commit is in doubt reports it, and repeated with its key returns the result', async (t) => {
      const cleanup = reverseCleanup(t)
      const environment = await serverEnvironment(cleanup)
      const gate = await DatabaseProxy.to(environment.WHARF_DATABASE_URL ?? '', cleanup)
      const server = await TestServer.open({ ...environment, WHARF_DATABASE_URL: gate.url })
      cleanup.after(() => server.app.close())
      const key = { 'idempotency-key': randomUUID() }
      gate.loseCommitAfter('insert into "idempotencyKeys"')
      const create = () => server.admin.post('/v1/tags', { params: { name: 'once' } }, key)
      const first = await create()
      assertFailure(first, { status: 503, code: 'SYS.1010', details: /may have happened or not/ })
      assert.ok(Number(first.headers.get('retry-after')) > 0)
      const again = await create()
      assert.equal(again.status, 200, again.text)
      const { body } = await server.admin.get('/v1/tags?q=name=once')
      assert.equal((body.inventories as object[]).length, 1)
    })
  })
