import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { anonymousCaller } from '../calls/caller.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import { OpenStreams } from './open-streams.ts'
import { openStream } from './revocable-stream.ts'
import { SseWriter } from './sse-writer.ts'

/** A server, and a connection to it that has sent a request and reads nothing. */
async function deafReader(t: TestContext) {
  const app: FastifyInstance = Fastify()
  // wrapped, because a reply is thenable itself
  const requested = Promise.withResolvers<{ reply: FastifyReply }>()
  app.get('/', (_, reply) => requested.resolve({ reply }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const reader = connect({ host: '127.0.0.1', port })
  t.after(() => {
    reader.destroy()
    return app.close()
  })
  reader.pause()
  await once(reader, 'connect')
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const connections = (): Promise<number> =>
    new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
  return { reader, connections, ...(await requested.promise) }
}

test('a stream that was ended disconnects a reader that reads nothing', async (t) => {
  const { reply, connections } = await deafReader(t)
  const stream = new SseWriter(reply, { maxStallMs: 200 })
  // more than the operating system keeps for a connection, and under our own limit
  while (!stream.closed && reply.raw.writableLength < 500_000) {
    stream.send({ data: 'x'.repeat(100_000) })
    await delay(1)
  }
  assert.equal(stream.closed, false)
  stream.end()
  assert.equal(stream.closed, true)
  assert.equal(await connections(), 1, 'it could still take what was sent')
  const until = performance.now() + 5000
  while ((await connections()) > 0 && performance.now() < until) await delay(10)
  assert.equal(await connections(), 0)
})

test('a stream that is opened while the server drains ends immediately', async (t) => {
  const streams = new OpenStreams()
  streams.endAll()
  const { reply, reader } = await deafReader(t)
  const stream = new SseWriter(reply)
  streams.add(stream, { userUuid: 'u', address: 'a' })
  assert.equal(stream.closed, true)
  assert.equal(streams.size, 0)
  let text = ''
  reader.on('data', (chunk) => {
    text += chunk
  })
  reader.resume()
  const until = performance.now() + 5000
  while (!text.endsWith('\r\n0\r\n\r\n') && performance.now() < until) await delay(5)
  assert.match(text, /\r\n0\r\n\r\n$/, 'the answer has an end')
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
})

test('a reader that disconnected before its stream was opened leaves none open', async (t) => {
  const { reply, reader } = await deafReader(t)
  const gone = once(reply.raw, 'close')
  reader.destroy()
  await gone
  const streams = new OpenStreams()
  const stream = new SseWriter(reply)
  streams.add(stream, { userUuid: 'u', address: 'a' })
  assert.equal(stream.closed, true)
  assert.equal(streams.size, 0)
})

test('the stream of a credential that was revoked during authentication is closed', async (t) => {
  const { reply } = await deafReader(t)
  const revoked = { isStillValid: async () => false, onChange: () => () => {} } as unknown as Credentials
  const stream = openStream(reply, anonymousCaller, { credentials: revoked, streams: new OpenStreams() })
  await delay(50)
  assert.equal(stream.closed, true)
})
