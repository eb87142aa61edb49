import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '@wharf/testkit'
import { Wharf } from '../wharf.ts'
import type { Change } from './changes.ts'
import { readEvents } from './server-sent.ts'

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const accessKey = { id, secret }
const wharf = new Wharf({ url: server.url, accessKey })

test('changes come as they happen, and a reader that stops hangs up', async () => {
  const opened = Promise.withResolvers<void>()
  const creating = opened.promise.then(() => wharf.tags.create({ name: 'seen' }))
  const onConnection = (): void => opened.resolve()
  for await (const { type, resourceType, uuid, id } of wharf.events({ onConnection })) {
    assert.match(id, /^\d+$/)
    if (resourceType !== 'Tag') continue
    assert.deepEqual([type, uuid], ['Created', (await creating).inventory.uuid])
    break
  }
})

test('a stream that breaks is taken up after the last event, and none is missed or seen twice', async () => {
  const streams: AbortController[] = []
  const breaking = new Wharf({
    url: server.url,
    accessKey,
    fetch: (input, init) => {
      if (!String(input).endsWith('/events')) return fetch(input, init)
      const controller = new AbortController()
      streams.push(controller)
      init?.signal?.addEventListener('abort', () => controller.abort())
      return fetch(input, { ...init, signal: controller.signal })
    },
  })
  const count = 30
  const seen: Change[] = []
  const opened = Promise.withResolvers<void>()
  const making = opened.promise.then(async () => {
    for (let number = 0; number < count; number++) {
      await wharf.tags.create({ name: `tag-${number}` })
      if (number % 5 !== 4) continue
      const { length } = streams
      streams.at(-1)?.abort()
      // half of the time changes happen while there is no stream
      for (let look = 0; number % 2 === 0 && streams.length === length && look < 500; look++) await delay(10)
    }
  })
  for await (const change of breaking.events({
    onConnection: () => opened.resolve(),
    signal: AbortSignal.timeout(30_000),
  })) {
    if (change.resourceType === 'Tag') seen.push(change)
    if (seen.length === count) break
  }
  await making
  assert.equal(new Set(seen.map(({ uuid }) => uuid)).size, count)
  assert.ok(streams.length > 3, `${streams.length} streams`)
})

test('a stream can begin after an event that was seen before', async () => {
  const { inventory } = await wharf.tags.create({ name: 'old' })
  const old: Change[] = []
  for await (const change of wharf.events({ lastEventId: '0' })) {
    old.push(change)
    if (change.uuid === inventory.uuid) break
  }
  await wharf.tags.create({ name: 'new' })
  for await (const change of wharf.events({ lastEventId: old.at(-1)?.id })) {
    assert.notEqual(change.uuid, inventory.uuid)
    if (change.resourceType === 'Tag') break
  }
})

test('a refusal ends it, and so does the signal', async () => {
  const nobody = new Wharf({ url: server.url, session: '0'.repeat(32) })
  await assert.rejects(nobody.events().next(), { code: 'ID.1001' })
  await assert.rejects(wharf.events({ signal: AbortSignal.timeout(50) }).next(), { name: 'TimeoutError' })
})

const page = (status: number): Response =>
  new Response('<h1>nothing here</h1>', { status, headers: { 'content-type': 'text/html' } })
const answering = (...answers: (() => Response | Promise<Response>)[]): Wharf => {
  let asked = 0
  return new Wharf({
    url: 'http://wharf.example',
    retry: { tries: 1 },
    fetch: async () => (answers[asked++] ?? answers.at(-1) ?? page)(404),
  })
}

for (const status of [200, 302, 404])
  test(`an address that answers ${status} like no Wharf server is not asked for ever`, async () => {
    await assert.rejects(
      answering(() => page(status))
        .events()
        .next(),
      { name: 'ConnectionError', status },
    )
    await assert.rejects(
      answering(() => page(status))
        .job('0'.repeat(32))
        .log({ follow: true })
        .next(),
      { status },
    )
  })

test('failures are told before it is tried again, and who is told may end it', async () => {
  const event = (): Response =>
    new Response('id: 1\ndata: {"type":"Created"}\n\n', { headers: { 'content-type': 'text/event-stream' } })
  const told: unknown[] = []
  const onFailure = (error: unknown): void => {
    told.push((error as Error).name)
    if (told.length === 2) throw error
  }
  const stream = answering(
    event,
    () => page(502),
    () => page(404),
  ).events({ onFailure })
  assert.equal((await stream.next()).value?.type, 'Created')
  await assert.rejects(stream.next(), { name: 'ConnectionError', status: 404 })
  assert.deepEqual(told, ['ConnectionError', 'ConnectionError'])
})

const bodyOf = (...chunks: string[]): Response =>
  new Response(ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk))))

const texts: Record<string, [chunks: string[], events: object[]]> = {
  'in pieces': [
    ['id: 1\nda', 'ta: a\n', '\nid: 2\n', 'data: b\n\n'],
    [
      { id: '1', data: 'a' },
      { id: '2', data: 'b' },
    ],
  ],
  'with several lines of data': [['data: a\ndata:\ndata: b\n\n'], [{ data: 'a\n\nb' }]],
  'with carriage returns': [['event: end\r\ndata: a\r\n\r\n'], [{ event: 'end', data: 'a' }]],
  'with signs of life': [[': wharf\n\n: \n\ndata: a\n\n'], [{ data: 'a' }]],
  'cut off in the middle': [['data: a\n\ndata: b'], [{ data: 'a' }]],
  'with a colon in the data': [['data: a: b\n\n'], [{ data: 'a: b' }]],
}
for (const [how, [chunks, expected]] of Object.entries(texts))
  test(`events are read ${how}`, async () => {
    const events = await Array.fromAsync(readEvents(bodyOf(...chunks)))
    assert.deepEqual(
      events,
      expected.map((event) => ({ id: undefined, event: undefined, ...event })),
    )
  })

test('a connection that falls silent is given up', async () => {
  const silent = new Response(new ReadableStream())
  await assert.rejects(readEvents(silent, { silenceMs: 20 }).next(), /nothing came/)
})
