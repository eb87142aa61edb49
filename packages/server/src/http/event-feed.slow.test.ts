import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, EventReader, EventRecorder, TestServer } from '@wharf/testkit'
import { internalAudience } from '../events/outbox.ts'

const createTag = async (client: Client, name: string): Promise<string> => {
  const { body, text } = await client.post('/v1/tags', { params: { name } })
  assert.equal(body.success, true, text)
  return (body.inventory as { uuid: string }).uuid
}

test('a change is sent to open streams', async (t) => {
  const server = await TestServer.start(t)
  const response = await server.admin.fetch('GET', '/v1/events')
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/)
  await response.body?.cancel()

  const recorder = await EventRecorder.open(server.admin)
  const uuid = await createTag(server.admin, 'a')
  await server.admin.delete(`/v1/tags/${uuid}`)
  await recorder.waitForEvents(2)
  const [created] = recorder.events
  const { at, ...rest } = JSON.parse(created?.data ?? '{}')
  assert.deepEqual(rest, { type: 'Created', resourceType: 'Tag', uuid })
  assert.match(at, /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [AP]M$/)
  assert.equal(created?.event, undefined)
  assert.ok(Number.isSafeInteger(created?.id))
  assert.deepEqual(recorder.changes, [`Created Tag ${uuid}`, `Deleted Tag ${uuid}`])
})

test('a rolled back change is sent to no stream', async (t) => {
  const server = await TestServer.start(t)
  const recorder = await EventRecorder.open(server.admin)
  const { database, events } = server.app.foundation
  const lost = database.transaction(async (tx) => {
    await events.record(tx, { type: 'Created', resourceType: 'Tag', uuid: 'lost', isRoutine: true })
    throw new Error('no')
  })
  await assert.rejects(lost, /no/)
  const uuid = await createTag(server.admin, 'a')
  assert.equal((await server.admin.post('/v1/tags', { params: { name: 'a' } })).status, 409)
  const next = await createTag(server.admin, 'b')
  await recorder.waitForEvents(2)
  await delay(100)
  assert.deepEqual(recorder.changes, [`Created Tag ${uuid}`, `Created Tag ${next}`])
})

test('a reader that reconnects often under many writers receives every event once, in order', async (t) => {
  const server = await TestServer.start(t)
  const live = await EventRecorder.open(server.admin)
  await createTag(server.admin, 'first')
  await live.waitForEvents(1)

  const perWriter = 40
  const writer = async (name: string) => {
    for (let i = 0; i < perWriter; i++) await createTag(server.admin, `${name}${i}`)
  }
  const writing = Promise.all(['a', 'b', 'c', 'd'].map(writer))
  const total = 1 + 4 * perWriter

  const received = live.events.slice(0, 1)
  while (received.length < total) {
    const headers = { 'last-event-id': String(received.at(-1)?.id) }
    const wanted = Math.min(1 + Math.floor(Math.random() * 20), total - received.length)
    received.push(...(await new EventReader(server.admin, '/v1/events', headers).take(wanted)))
  }
  await writing
  await live.waitForEvents(total)
  assert.deepEqual(received, live.events)
  const ids = received.map(({ id }) => id ?? 0)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(ids).size, total)
  live.stop()
})

test('a reader that is ahead of this node receives no event twice', async (t) => {
  const server = await TestServer.start(t)
  // as written by another node: this one is not notified
  const event = { type: 'Created', resourceType: 'Tag', uuid: 'elsewhere', at: Date.now(), audience: null } as const
  const { sequence } = await server.app.foundation.database.transaction((tx) =>
    tx.insertInto('events').values(event).returning('sequence').executeTakeFirstOrThrow(),
  )
  const recorder = await EventRecorder.open(server.admin, '/v1/events', { 'last-event-id': String(sequence) })
  const uuid = await createTag(server.admin, 'a')
  await recorder.waitForEvents(1)
  assert.deepEqual(recorder.changes, [`Created Tag ${uuid}`])
  recorder.stop()
})

test('Last-Event-ID determines where a stream starts', async (t) => {
  const server = await TestServer.start(t)
  const recorder = await EventRecorder.open(server.admin)
  await createTag(server.admin, 'old')
  await recorder.waitForEvents(1)
  const { id = 0 } = recorder.events[0] ?? {}
  const cases = [
    { name: 'without it: now', lastEventId: undefined, receives: ['new'] },
    { name: 'before the last: with it', lastEventId: String(id - 1), receives: ['old', 'new'] },
    { name: 'at the last: after it', lastEventId: String(id), receives: ['new'] },
    { name: 'in the future: now', lastEventId: String(id + 1000), receives: ['new'] },
    { name: 'not a number: now', lastEventId: 'yesterday', receives: ['new'] },
    { name: 'too large a number: now', lastEventId: '99999999999999999999', receives: ['new'] },
  ]
  const names = new Map<string, string>([[JSON.parse(recorder.events[0]?.data ?? '').uuid, 'old']])
  for (const { name, lastEventId, receives } of cases)
    await t.test(name, async () => {
      const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
      const reader = await EventRecorder.open(server.admin, '/v1/events', headers)
      const uuid = await createTag(server.admin, name.replaceAll(':', ''))
      names.set(uuid, 'new')
      while (!reader.changes.includes(`Created Tag ${uuid}`)) await delay(5)
      reader.stop()
      const received = reader.events.map(({ data }) => names.get(JSON.parse(data).uuid))
      // the events of earlier cases are between them
      assert.deepEqual([...new Set(received)], receives)
      assert.equal(received.at(-1), 'new')
    })
})

test('events of keys are sent to their user and to admins, internal events to nobody', async (t) => {
  const server = await TestServer.start(t)
  const alice = await server.signIn('operator', 'alice')
  const bob = await server.signIn('operator', 'bob')
  const [ofAdmin, ofAlice, ofBob] = await Promise.all(
    [server.admin, alice, bob].map((client) => EventRecorder.open(client)),
  )
  const params = { accountUuid: alice.accountUuid, userUuid: alice.accountUuid }
  const created = await alice.post('/v1/accesskeys', { params })
  assert.equal(created.status, 200, created.text)
  const { uuid: keyUuid } = created.body.inventory as { uuid: string }
  const { database, events } = server.app.foundation
  await database.transaction((tx) =>
    events.record(tx, {
      type: 'Deleted',
      resourceType: 'Session',
      uuid: 'hash',
      audience: internalAudience,
      isRoutine: true,
    }),
  )
  const tag = await createTag(server.admin, 'for all')
  const key = `Created AccessKey ${keyUuid}`
  const all = `Created Tag ${tag}`
  for (const [recorder, expected] of [
    [ofAdmin, [key, all]],
    [ofAlice, [key, all]],
    [ofBob, [all]],
  ] as const) {
    await recorder?.waitForEvents(expected.length)
    await delay(50)
    assert.deepEqual(recorder?.changes, expected)
    recorder?.stop()
  }

  await t.test('in a replay too', async () => {
    const replayed = await EventRecorder.open(bob, '/v1/events', { 'last-event-id': '0' })
    while (!replayed.changes.includes(all)) await delay(5)
    assert.equal(replayed.changes.filter((change) => /AccessKey|hash/.test(change)).length, 0)
    replayed.stop()
  })
})

test('a reader that does not read is disconnected, and the others receive everything', async (t) => {
  const server = await TestServer.start(t)
  const { streams, database, events } = server.app.foundation
  const healthy = await EventRecorder.open(server.admin)
  const { hostname, port } = new URL(server.url)
  const stalled = connect({ host: hostname, port: Number(port) })
  t.after(() => stalled.destroy())
  stalled.pause()
  await once(stalled, 'connect')
  const headers = { host: 'x', ...server.admin.authorization('GET', '/v1/events') }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  stalled.write(`GET /v1/events HTTP/1.1\r\n${lines.join('')}\r\n`)
  while (streams.size < 2) await delay(5)

  // exceeds the socket buffers of the operating system, then our own limit
  const long = 'x'.repeat(16_000)
  let count = 0
  for (; count < 3000 && streams.size > 1; count += 30) {
    await database.transaction(async (tx) => {
      for (let i = 0; i < 30; i++)
        await events.record(tx, { type: long, resourceType: 'Tag', uuid: `${count + i}`, isRoutine: true })
    })
    await healthy.waitForEvents(count + 30, 10_000)
  }
  assert.equal(streams.size, 1)
  await healthy.waitForEvents(count)
  const received = healthy.events.map(({ data }) => Number(JSON.parse(data).uuid))
  assert.deepEqual(
    received,
    Array.from({ length: count }, (_, i) => i),
  )
  healthy.stop()
})

test('a reader with a long replay is not disconnected', async (t) => {
  const server = await TestServer.start(t)
  const { database, events } = server.app.foundation
  const long = 'x'.repeat(16_000)
  for (let batch = 0; batch < 10; batch++)
    await database.transaction(async (tx) => {
      for (let i = 0; i < 100; i++)
        await events.record(tx, { type: long, resourceType: 'Tag', uuid: 'old', isRoutine: true })
    })
  const recorder = await EventRecorder.open(server.admin, '/v1/events', { 'last-event-id': '0' })
  await createTag(server.admin, 'new')
  const isDone = () => recorder.events.some(({ data }) => data.startsWith('{"type":"Created","resourceType":"Tag"'))
  const until = performance.now() + 10_000
  while (!isDone() && performance.now() < until) await delay(10)
  assert.equal(recorder.events.filter(({ data }) => data.includes('"old"')).length, 1000)
  assert.ok(isDone())
  recorder.stop()
})

test('a listener that throws is logged and affects neither other listeners nor the caller', async (t) => {
  const server = await TestServer.start(t)
  const { events } = server.app.foundation
  const received: string[] = []
  const fail = (): never => {
    throw new Error('of a listener')
  }
  const note = (): void => void received.push('own')
  events.subscribeToThisNode(fail)
  events.subscribeToThisNode(note)
  events.subscribe(fail)
  const recorder = await EventRecorder.open(server.admin)
  await createTag(server.admin, 'a')
  await createTag(server.admin, 'b')
  await recorder.waitForEvents(2)
  assert.deepEqual(received, ['own', 'own'])
  assert.equal(server.logText.match(/a listener of events threw/g)?.length, 4)
})
