import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { boundSlowClients, type SlowLimits } from './slow-clients.ts'
import { UnsentBytes } from './unsent-bytes.ts'

const longText = 'x'.repeat(8 * 1024 * 1024)

/** Takes bodies at /taken, at /patient for as long as it takes, and not at /refused; /long is long, /shared the same for all, /held takes a while. */
async function listening(t: TestContext, limits: Partial<SlowLimits>, unsent = new UnsentBytes()): Promise<number> {
  const app = Fastify()
  const rejectResponse = (_request: FastifyRequest, reply: FastifyReply) => {
    reply.code(503)
    return Buffer.from('no memory')
  }
  boundSlowClients(
    app,
    (_request, reply) => reply.code(408).send('late'),
    { unsent, rejectResponse },
    { bodyMs: 60_000, responseMs: 60_000, ...limits },
  )
  app.post('/taken', async () => 'taken')
  app.post('/patient', { config: { hasOwnBodyTimeout: true } }, async () => 'taken')
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send('who?') }, async () => 'taken')
  app.get('/held', () => delay(300, 'at last'))
  app.get('/long', async () => Buffer.from(longText))
  const shared = Buffer.from(longText)
  app.get('/shared', async () => shared)
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  return (app.server.address() as { port: number }).port
}

async function sending(t: TestContext, port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const unfinished = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nhalf`

async function allOf(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.resume()
  await once(socket, 'close', { signal: AbortSignal.timeout(10_000) })
  return text
}

test('a body that does not arrive in time is 408, and its connection is closed', async (t) => {
  const port = await listening(t, { bodyMs: 50 })
  assert.match(
    await allOf(await sending(t, port, unfinished('/taken'))),
    /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*late$/,
  )
})

test('a client that was rejected before its body arrived gets the response immediately', async (t) => {
  const port = await listening(t, { bodyMs: 50 })
  assert.match(await allOf(await sending(t, port, unfinished('/refused'))), /^HTTP\/1\.1 401 [\s\S]*who\?$/)
})

test('a body that arrives in time is accepted, and the connection stays open', async (t) => {
  const port = await listening(t, { bodyMs: 300 })
  const socket = await sending(t, port, unfinished('/taken'))
  await delay(20)
  socket.write('whole')
  const [first] = (await once(socket, 'data')) as [Buffer]
  assert.match(first.toString(), /^HTTP\/1\.1 200 /)
  await delay(400)
  socket.write(unfinished('/taken').replace('half', 'halfwhole'))
  const [second] = (await once(socket, 'data')) as [Buffer]
  assert.match(second.toString(), /^HTTP\/1\.1 200 /)
})

test('an unread body does not disconnect a slow call', async (t) => {
  const port = await listening(t, { bodyMs: 50 })
  const head = 'GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}'
  assert.match(await allOf(await sending(t, port, head)), /^HTTP\/1\.1 200 [\s\S]*at last$/)
})

test('nothing waits for the body of a call that was rejected for its length', async (t) => {
  const port = await listening(t, { bodyMs: 60_000 })
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const head = unfinished('/taken').replace('length: 9', 'length: 99999999')
  assert.match(await allOf(await sending(t, port, head)), /^HTTP\/1\.1 413 /)
  assert.equal(timers(), before)
})

test('a route with its own body timeout waits', async (t) => {
  const port = await listening(t, { bodyMs: 50 })
  const socket = await sending(t, port, unfinished('/patient'))
  await delay(200)
  socket.write('whole')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
})

test('a client that does not read a long response is disconnected, one that reads it gets all of it', async (t) => {
  const request = 'GET /long HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  // a busy machine takes seconds for it
  const taken = await allOf(await sending(t, await listening(t, { responseMs: 10_000 }), request))
  assert.ok(taken.endsWith(longText))

  const slow = await sending(t, await listening(t, { responseMs: 300 }), request)
  slow.pause()
  await delay(800)
  const rest = await allOf(slow)
  assert.ok(rest.length < longText.length, `${rest.length} characters came`)
})

test('pipelined long responses arrive in order and complete', async (t) => {
  const port = await listening(t, {})
  const request = 'GET /long HTTP/1.1\r\nhost: x\r\n\r\n'
  const all = await allOf(
    await sending(t, port, request + request + request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')),
  )
  assert.equal(all.split('HTTP/1.1 200').length, 4)
  assert.equal(all.split(longText).length, 4)
})

const requestLong = 'GET /long HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

test('unread responses share a limit: stalled readers are disconnected in favour of active ones', async (t) => {
  const unsent = new UnsentBytes({ maxBytes: 3 * longText.length, stalledMs: 200 })
  const port = await listening(t, {}, unsent)
  const stalled = await Promise.all(Array.from({ length: 6 }, () => sending(t, port, requestLong)))
  for (const socket of stalled) socket.pause()
  await delay(100)
  assert.ok(unsent.total > 0 && unsent.total <= 3 * longText.length, `${unsent.total}`)
  // none has stalled for long enough yet
  assert.match(await allOf(await sending(t, port, requestLong)), /^HTTP\/1\.1 503 [\s\S]*no memory$/)
  await delay(400)
  const whole = await allOf(await sending(t, port, requestLong))
  const state = `${whole.length} characters, ${unsent.disconnected} disconnected, ${unsent.total} bytes unsent`
  assert.ok(whole.endsWith(longText), `${whole.slice(0, 80)}… ${state}`)
  assert.ok(unsent.disconnected >= 1, state)
  for (const socket of stalled) socket.destroy()
  for (let tries = 0; unsent.total > 0 && tries < 100; tries++) await delay(20)
  assert.equal(unsent.total, 0)
})

test('a shared response counts once, until its last reader is done, and stalled readers are disconnected', async (t) => {
  const unsent = new UnsentBytes({ maxBytes: 1.5 * longText.length, stalledMs: 100 })
  const port = await listening(t, {}, unsent)
  const stalled: Socket[] = []
  for (let n = 0; n < 3; n++) {
    const socket = await sending(t, port, requestLong.replace('/long', '/shared'))
    await once(socket, 'readable')
    stalled.push(socket)
  }
  assert.equal(unsent.total, longText.length)
  stalled[0]?.destroy()
  await delay(300)
  assert.equal(unsent.total, longText.length)
  assert.ok((await allOf(await sending(t, port, requestLong))).endsWith(longText))
  assert.equal(unsent.disconnected, 1)
  for (const socket of stalled.slice(1)) assert.ok((await allOf(socket)).length < longText.length)
  assert.equal(unsent.total, 0)
})
