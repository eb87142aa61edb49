import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '@wharf/database/database.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { systemClock } from '@wharf/platform/clock.ts'
import { reverseCleanup, testAuditTrail, testDatabase, testEngine } from '@wharf/testkit'
import { sql } from 'kysely'
import { Outbox } from './outbox.ts'

/** SQLite has one writer: its numbers are the order of the commits. */
const onPostgres = testEngine === 'postgres' ? test : () => {}

/** A transaction that is open until `commit` or `rollBack`. */
class OpenTransaction {
  readonly #database: OpenedDatabase
  readonly #end = Promise.withResolvers<void>()
  readonly #started = Promise.withResolvers<Tx>()
  readonly #ended: Promise<void>

  constructor(database: OpenedDatabase) {
    this.#database = database
    this.#ended = database.transaction(async (tx) => {
      this.#started.resolve(tx)
      await this.#end.promise
    })
    this.#ended.catch(() => {})
  }

  /** The number is assigned now, as by a node of an older version; a newer one commits in the same round trip. */
  async record(uuid: string): Promise<void> {
    const tx = await this.#started.promise
    const event = { type: 'Created', resourceType: 'Tag', uuid, at: Date.now() } as const
    await tx.insertInto('events').values(event).execute()
    this.#database.notifyPeers(tx)
  }

  async writeSomething(name: string): Promise<void> {
    await (await this.#started.promise).insertInto('settings').values({ name, value: '' }).execute()
  }

  async commit(): Promise<void> {
    this.#end.resolve()
    await this.#ended
  }

  async rollBack(): Promise<void> {
    this.#end.reject(new Error('rolled back'))
    await this.#ended.catch(() => {})
  }
}

/** A database, a listener and its received events. `onAdvance` is called between two reads of the listener. */
async function startListener(t: TestContext, onAdvance?: (rows: unknown[]) => Promise<void>) {
  const cleanup = reverseCleanup(t)
  const database = await testDatabase(cleanup)
  const watched = new Proxy(database, {
    get: (target, name) => {
      if (name !== 'read' || onAdvance === undefined) return Reflect.get(target, name)
      return target.read.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          await onAdvance(result.rows)
          return result
        },
      })
    },
  })
  const events = new Outbox({ database: watched, clock: systemClock, audit: testAuditTrail(database) })
  cleanup.after(async () => events.stop())
  await events.start()
  const received: string[] = []
  events.subscribe(({ uuid }) => received.push(uuid))
  const assertReceived = async (expected: string[], withinMs = 1500) => {
    const until = performance.now() + withinMs
    while (received.length < expected.length && performance.now() < until) await delay(5)
    await delay(50)
    assert.deepEqual(received, expected)
  }
  const open = (): OpenTransaction => {
    const transaction = new OpenTransaction(database)
    cleanup.after(() => transaction.rollBack())
    return transaction
  }
  return { database, events, received, assertReceived, open }
}

onPostgres('a commit that overtakes another waits for it', async (t) => {
  const { open, assertReceived } = await startListener(t)
  const [slow, quick] = [open(), open()]
  await slow.record('5')
  await quick.record('6')
  await quick.commit()
  await delay(200)
  await assertReceived([], 0)
  await slow.commit()
  await assertReceived(['5', '6'])
})

onPostgres('a commit that overtakes another waits for it, also when it started first', async (t) => {
  const { open, assertReceived } = await startListener(t)
  const [quick, slow] = [open(), open()]
  await quick.writeSomething('before the other has a transaction id')
  await slow.record('5')
  await quick.record('6')
  await quick.commit()
  await delay(200)
  await assertReceived([], 0)
  await slow.commit()
  await assertReceived(['5', '6'])
})

onPostgres('a rolled back number delays the following events only briefly', async (t) => {
  const { open, assertReceived } = await startListener(t)
  const [undecided, quick] = [open(), open()]
  await undecided.record('5')
  await quick.record('6')
  await quick.commit()
  await undecided.rollBack()
  await assertReceived(['6'])
})

onPostgres('a commit between two reads of the listener is not lost', async (t) => {
  let slow: OpenTransaction | undefined
  let polls = 0
  // 5 is committed only after the listener has read 6 twice
  const { open, assertReceived } = await startListener(t, async (rows) => {
    const sees6 = rows.some((row) => (row as { uuid?: string }).uuid === '6')
    if (sees6 && ++polls === 2) await slow?.commit()
  })
  slow = open()
  const quick = open()
  await slow.record('5')
  await quick.record('6')
  await quick.commit()
  await assertReceived(['5', '6'])
})

onPostgres('a hundred gaps are no slower than one', async (t) => {
  const { database, events, assertReceived, open } = await startListener(t)
  const first = open()
  await first.record('first')
  const expected = ['first']
  for (let i = 0; i < 100; i++) {
    await database.transaction((tx) =>
      events.record(tx, { type: 'Created', resourceType: 'Tag', uuid: `${i}`, isRoutine: true }),
    )
    expected.push(`${i}`)
    const lost = open()
    await lost.record('lost')
    await lost.rollBack()
  }
  await first.commit()
  await assertReceived(expected)
})

onPostgres('a long transaction without an event delays no event', async (t) => {
  const { open, assertReceived } = await startListener(t)
  const long = open()
  await long.writeSomething('in a long transaction')
  const lost = open()
  await lost.record('5')
  await lost.rollBack()
  const quick = open()
  await quick.record('6')
  await quick.commit()
  await assertReceived(['6'])
  await long.commit()
})

onPostgres('a commit during the start of a node is received by that node', async (t) => {
  const { database, open, assertReceived } = await startListener(t)
  const [slow, quick] = [open(), open()]
  await slow.record('5')
  await quick.record('6')
  await quick.commit()
  const second = new Outbox({ database, clock: systemClock, audit: testAuditTrail(database) })
  const received: string[] = []
  second.subscribe(({ uuid }) => received.push(uuid))
  t.after(() => second.stop())
  const starting = second.start()
  await delay(100)
  await slow.commit()
  await starting
  await assertReceived(['5', '6'])
  await delay(300)
  assert.ok(received.length === 0 || received.join() === '5,6', `all or nothing, not ${received.join()}`)
})

test('with many writers every commit is received once and in order, and no rolled back event', async (t) => {
  const { database, events, received } = await startListener(t)
  const committed: string[] = []
  const writer = async (name: number) => {
    for (let i = 0; i < 25; i++) {
      const uuid = `${name}.${i}`
      const isLost = Math.random() < 0.3
      const work = database.transaction(async (tx) => {
        await sql`select 1`.execute(tx)
        await events.record(tx, { type: 'Created', resourceType: 'Tag', uuid, isRoutine: true })
        if (Math.random() < 0.3) await delay(Math.random() * 10)
        if (isLost) throw new Error('rolled back')
      })
      await work.then(
        () => committed.push(uuid),
        () => {},
      )
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
  const until = performance.now() + 3000
  while (received.length < committed.length && performance.now() < until) await delay(10)
  await delay(100)
  assert.deepEqual(received.toSorted(), committed.toSorted())
  const stored = await database.read.selectFrom('events').select('uuid').orderBy('sequence').execute()
  assert.deepEqual(
    received,
    stored.map(({ uuid }) => uuid),
  )
})
