import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, EventRecorder, reverseCleanup, serverEnvironment, TestServer, testEngine } from '@wharf/testkit'
import { sql } from 'kysely'

/** SQLite belongs to one process. */
const onSharedDatabase = testEngine === 'postgres' ? test : () => {}

/** From the commit until it is received everywhere, with notifications and without. */
const promisedMs = 1000

async function twoNodes(t: TestContext) {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  const first = await TestServer.open(environment)
  cleanup.after(() => first.app.close())
  const second = await TestServer.open({ ...environment, WHARF_DATA: join(dirname(environment.WHARF_DATA ?? ''), '2') })
  cleanup.after(() => second.app.close())
  const recorders = {
    first: await EventRecorder.open(first.admin),
    second: await EventRecorder.open(new Client(second.url, first.admin.credential)),
  }
  cleanup.after(async () => {
    recorders.first.stop()
    recorders.second.stop()
  })
  return { first, second, recorders }
}

const createTags = async (client: Client, names: string[]) => {
  for (const name of names) assert.equal((await client.post('/v1/tags', { params: { name } })).status, 200)
}

const listeners = async ({ app }: TestServer): Promise<number[]> => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and query = 'listen wharf_commits' and pid <> pg_backend_pid()`.execute(
    app.foundation.database.read,
  )
  return rows.map(({ pid }) => pid)
}

/** The start of a node does not wait until it listens, because it polls too. */
async function waitForListeners(node: TestServer, lost: readonly number[] = []): Promise<number[]> {
  for (let tries = 0; tries < 200; tries++) {
    const pids = (await listeners(node)).filter((pid) => !lost.includes(pid))
    if (pids.length === 2) return pids
    await delay(20)
  }
  throw new Error('the nodes do not listen')
}

/** The time from before a call until a reader at the other node has received its event. */
async function msUntilReceived(writer: Client, recorder: EventRecorder): Promise<number> {
  const receivedBefore = recorder.events.length
  const startedAt = performance.now()
  await createTags(writer, [`${startedAt}`])
  await recorder.waitForEvents(receivedBefore + 1)
  return performance.now() - startedAt
}

async function cutListeners(node: TestServer): Promise<void> {
  const { read } = node.app.foundation.database
  for (const pid of await listeners(node)) await sql`select pg_terminate_backend(${pid}::int)`.execute(read)
}

onSharedDatabase('an event of one node is received at the other within a second', async (t) => {
  const { first, second, recorders } = await twoNodes(t)
  const directions = [
    { from: first.admin, at: recorders.second },
    { from: new Client(second.url, first.admin.credential), at: recorders.first },
  ]
  const measure = async (prepare: () => Promise<unknown>): Promise<void> => {
    const took: number[] = []
    for (let round = 0; round < 5; round++)
      for (const { from, at } of directions) {
        await prepare()
        took.push(Math.round(await msUntilReceived(from, at)))
      }
    t.diagnostic(`received after ${took} ms`)
    assert.ok(Math.max(...took) < promisedMs, `it took ${took} ms`)
  }
  await t.test('while notifications arrive', () => measure(() => waitForListeners(first)))
  // a node listens again half a second later and polls then; until then it polls three times a second
  await t.test('while no notifications arrive', () => measure(() => cutListeners(first)))
})

onSharedDatabase('both nodes send the same events, in the same order, with the same numbers', async (t) => {
  const { first, second, recorders } = await twoNodes(t)
  const many = (name: string) => Array.from({ length: 30 }, (_, i) => `${name}${i}`)
  await Promise.all([
    createTags(first.admin, many('a')),
    createTags(new Client(second.url, first.admin.credential), many('b')),
  ])
  await recorders.first.waitForEvents(60)
  await recorders.second.waitForEvents(60)
  assert.deepEqual(recorders.first.events, recorders.second.events)

  await t.test('a reader may reconnect to the other node', async () => {
    const { id } = recorders.first.events[40] ?? {}
    const headers = { 'last-event-id': String(id) }
    const moved = await EventRecorder.open(new Client(second.url, first.admin.credential), '/v1/events', headers)
    await moved.waitForEvents(19)
    assert.deepEqual(moved.events, recorders.first.events.slice(41))
    moved.stop()
  })
})

onSharedDatabase('a lost connection for notifications is replaced, and nothing is missed meanwhile', async (t) => {
  const { first, recorders } = await twoNodes(t)
  const before = await waitForListeners(first)
  await cutListeners(first)
  await createTags(first.admin, ['a', 'b'])
  await recorders.second.waitForEvents(2)
  await waitForListeners(first, before)
  await createTags(first.admin, ['c'])
  await recorders.first.waitForEvents(3)
  await recorders.second.waitForEvents(3)
  assert.deepEqual(recorders.first.events, recorders.second.events)
})

onSharedDatabase('the streams continue after every database connection is lost at once', async (t) => {
  const { first, second, recorders } = await twoNodes(t)
  await createTags(first.admin, ['before'])
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(first.app.foundation.database.read)
  // the first calls may use a lost connection
  for (let tries = 0; tries < 50; tries++) {
    const answer = await first.admin.post('/v1/tags', { params: { name: `after ${tries}` } })
    if (answer.status === 200) break
    assert.equal(answer.body.error?.code, 'SYS.1010', answer.text)
  }
  await recorders.first.waitForEvents(2)
  await recorders.second.waitForEvents(2)
  assert.deepEqual(recorders.first.events, recorders.second.events)
  assert.equal(second.app.foundation.streams.size, 1)
})
