import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '@wharf/testkit'
import { Wharf } from '../wharf.ts'
import type { Change } from './changes.ts'
import { readEvents } from './server-sent-events.ts'

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const accessKey = { id, secret }
const wharf = new Wharf({ url: server.url, accessKey })

test('streams changes, and closes the connection when the reader stops', async () => {
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

test('resumes a broken stream after the last event, without gaps or duplicates', async () => {
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
  const creating = opened.promise.then(async () => {
    for (let number = 0; number < count; number++) {
      await wharf.tags.create({ name: `tag-${number}` })
      if (number % 5 !== 4) continue
      const { length } = streams
      streams.at(-1)?.abort()
      // half of the changes happen while no stream is open
      for (let checks = 0; number % 2 === 0 && streams.length === length && checks < 500; checks++) await delay(10)
    }
  })
  for await (const change of breaking.events({
    onConnection: () => opened.resolve(),
    signal: AbortSignal.timeout(30_000),
  })) {
    if (change.resourceType === 'Tag') seen.push(change)
    if (seen.length === count) break
  }
  await creating
  assert.equal(new Set(seen.map(({ uuid }) => uuid)).size, count)
  assert.ok(streams.length > 3, `${streams.length} streams`)
})

test('starts after lastEventId', async () => {
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

test('a refusal and the signal end the stream', async () => {
  const anonymous = new Wharf({ url: server.url, session: '0'.repeat(32) })
  await assert.rejects(anonymous.events().next(), { code: 'ID.1001' })
  await assert.rejects(wharf.events({ signal: AbortSignal.timeout(50) }).next(), { name: 'TimeoutError' })
})

const page = (status: number): Response =>
  new Response('<h1>nothing here</h1>', { status, headers: { 'content-type': 'text/html' } })
const clientReceiving = (...answers: (() => Response | Promise<Response>)[]): Wharf => {
  let requests = 0
  return new Wharf({
    url: 'http://wharf.example',
    retry: { tries: 1 },
    fetch: async () => (answers[requests++] ?? answers.at(-1) ?? page)(404),
  })
}

for (const status of [200, 302, 404])
  test(`a foreign response with ${status} ends the stream`, async () => {
    await assert.rejects(
      clientReceiving(() => page(status))
        .events()
        .next(),
      { name: 'ConnectionError', status },
    )
    await assert.rejects(
      clientReceiving(() => page(status))
        .job('0'.repeat(32))
        .log({ follow: true })
        .next(),
      { status },
    )
  })

test('onFailure receives each failure and can end the stream', async () => {
  const event = (): Response =>
    new Response('id: 1\ndata: {"type":"Created"}\n\n', { headers: { 'content-type': 'text/event-stream' } })
  const failures: unknown[] = []
  const onFailure = (error: unknown): void => {
    failures.push((error as Error).name)
    if (failures.length === 2) throw error
  }
  const stream = clientReceiving(
    event,
    () => page(502),
    () => page(404),
  ).events({ onFailure })
  assert.equal((await stream.next()).value?.type, 'Created')
  await assert.rejects(stream.next(), { name: 'ConnectionError', status: 404 })
  assert.deepEqual(failures, ['ConnectionError', 'ConnectionError'])
})

const bodyOf = (...chunks: string[]): Response =>
  new Response(ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk))))

const texts: Record<string, [chunks: string[], events: object[]]> = {
  'in chunks': [
    ['id: 1\nda', 'ta: a\n', '\nid: 2\n', 'data: b\n\n'],
    [
      { id: '1', data: 'a' },
      { id: '2', data: 'b' },
    ],
  ],
  'with several lines of data': [['data: a\ndata:\ndata: b\n\n'], [{ data: 'a\n\nb' }]],
  'with carriage returns': [['event: end\r\ndata: a\r\n\r\n'], [{ event: 'end', data: 'a' }]],
  'with keep-alives': [[': wharf\n\n: \n\ndata: a\n\n'], [{ data: 'a' }]],
  truncated: [['data: a\n\ndata: b'], [{ data: 'a' }]],
  'with a colon in the data': [['data: a: b\n\n'], [{ data: 'a: b' }]],
}
for (const [name, [chunks, expected]] of Object.entries(texts))
  test(`reads events ${name}`, async () => {
    const events = await Array.fromAsync(readEvents(bodyOf(...chunks)))
    assert.deepEqual(
      events,
      expected.map((event) => ({ id: undefined, event: undefined, ...event })),
    )
  })

test('an idle connection fails', async () => {
  const idle = new Response(new ReadableStream())
  await assert.rejects(readEvents(idle, { idleMs: 20 }).next(), /no data/)
})
