import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, EventRecorder, reverseCleanup, serverEnvironment, TestServer, testEngine } from '@wharf/testkit'
import { sql } from 'kysely'

/** Only PostgreSQL can be shared. */
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
  const tapes = {
    first: await EventRecorder.open(first.admin),
    second: await EventRecorder.open(new Client(second.url, first.admin.credential)),
  }
  cleanup.after(async () => {
    tapes.first.stop()
    tapes.second.stop()
  })
  return { first, second, tapes }
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

/** Nobody waits for a node to listen: it polls now and then as well. */
async function bothListen(node: TestServer, lost: readonly number[] = []): Promise<number[]> {
  for (let tries = 0; tries < 200; tries++) {
    const pids = (await listeners(node)).filter((pid) => !lost.includes(pid))
    if (pids.length === 2) return pids
    await delay(20)
  }
  throw new Error('the nodes do not listen')
}

/** How long it takes until a reader at the other node has received of a change, counted from before the call that makes it. */
async function msUntilReceived(maker: Client, tape: EventRecorder): Promise<number> {
  const receivedBefore = tape.events.length
  const began = performance.now()
  await createTags(maker, [`${began}`])
  await tape.waitForEvents(receivedBefore + 1)
  return performance.now() - began
}

async function cutListeners(node: TestServer): Promise<void> {
  const { read } = node.app.foundation.database
  for (const pid of await listeners(node)) await sql`select pg_terminate_backend(${pid}::int)`.execute(read)
}

onSharedDatabase('what one node commits is received at the other within a second', async (t) => {
  const { first, second, tapes } = await twoNodes(t)
  const modes = [
    { from: first.admin, at: tapes.second },
    { from: new Client(second.url, first.admin.credential), at: tapes.first },
  ]
  const measure = async (prepare: () => Promise<unknown>): Promise<void> => {
    const took: number[] = []
    for (let round = 0; round < 5; round++)
      for (const { from, at } of modes) {
        await prepare()
        took.push(Math.round(await msUntilReceived(from, at)))
      }
    t.diagnostic(`received after ${took} ms`)
    assert.ok(Math.max(...took) < promisedMs, `it took ${took} ms`)
  }
  await t.test('while notifications arrive', () => measure(() => bothListen(first)))
  // a node is back at listening half a second later, and polls then; until then it polls by itself, three times a second
  await t.test('and while none do', () => measure(() => cutListeners(first)))
})

onSharedDatabase('both nodes tell of the same changes, in the same order, with the same numbers', async (t) => {
  const { first, second, tapes } = await twoNodes(t)
  const many = (name: string) => Array.from({ length: 30 }, (_, i) => `${name}${i}`)
  await Promise.all([
    createTags(first.admin, many('a')),
    createTags(new Client(second.url, first.admin.credential), many('b')),
  ])
  await tapes.first.waitForEvents(60)
  await tapes.second.waitForEvents(60)
  assert.deepEqual(tapes.first.events, tapes.second.events)

  await t.test('and a reader may come back to the other one', async () => {
    const { id } = tapes.first.events[40] ?? {}
    const headers = { 'last-event-id': String(id) }
    const moved = await EventRecorder.open(new Client(second.url, first.admin.credential), '/v1/events', headers)
    await moved.waitForEvents(19)
    assert.deepEqual(moved.events, tapes.first.events.slice(41))
    moved.stop()
  })
})

onSharedDatabase('a lost connection for notifications is replaced, and nothing is missed meanwhile', async (t) => {
  const { first, tapes } = await twoNodes(t)
  const before = await bothListen(first)
  await cutListeners(first)
  await createTags(first.admin, ['a', 'b'])
  await tapes.second.waitForEvents(2)
  await bothListen(first, before)
  await createTags(first.admin, ['c'])
  await tapes.first.waitForEvents(3)
  await tapes.second.waitForEvents(3)
  assert.deepEqual(tapes.first.events, tapes.second.events)
})

onSharedDatabase('every connection lost at once: the streams stay, and go on', async (t) => {
  const { first, second, tapes } = await twoNodes(t)
  await createTags(first.admin, ['before'])
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(first.app.foundation.database.read)
  // the first calls may meet a connection that is gone
  for (let tries = 0; tries < 50; tries++) {
    const answer = await first.admin.post('/v1/tags', { params: { name: `after ${tries}` } })
    if (answer.status === 200) break
    assert.equal(answer.body.error?.code, 'SYS.1010', answer.text)
  }
  await tapes.first.waitForEvents(2)
  await tapes.second.waitForEvents(2)
  assert.deepEqual(tapes.first.events, tapes.second.events)
  assert.equal(second.app.foundation.streams.size, 1)
})
