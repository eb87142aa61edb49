import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Sealing } from '@wharf/platform/sealing.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import { rawCall } from '@wharf/testkit'
import Fastify from 'fastify'
import { registerBodyParser } from '../body.ts'
import { toApiError } from '../failures.ts'
import { sendFailure } from '../send.ts'
import { createRelay } from './forward-request.ts'
import { Hops, hopHeader } from './relay-hop.ts'

/** The other node, configured by each test. */
let act: RequestListener = () => {}
const other = createServer((request, response) => act(request, response)).listen(0, '127.0.0.1')
await once(other, 'listening')
after(() => void other.close())

const hops = new Hops(new Sealing(Buffer.alloc(32, 1)), () => Date.now())
const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/wharf`
const relay = createRelay({ hops, nodes: { find: async () => ({ url, isAlive: true }) } })

/** A node that has nothing itself. */
const app = Fastify()
app.decorateRequest('isRelayed', false)
app.decorateRequest('sentBody', undefined)
app.decorateRequest('forwardedTo', undefined)
registerBodyParser(app)
app.setErrorHandler(async (error, request, reply) => {
  const failure = await relay(request, reply, error as WrongNodeError).catch(toApiError)
  if (failure) return sendFailure(request, reply, failure, { authSchemes: [] })
})
app.all('/*', async () => {
  throw new WrongNodeError('a'.repeat(32), 'it is with another one')
})
const here = await app.listen({ host: '127.0.0.1', port: 0 })
after(() => app.close())

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

test('the call arrives unchanged', async () => {
  const seen = Promise.withResolvers<{ request: IncomingMessage; text: string }>()
  act = async (request, response) => {
    seen.resolve({ request, text: await bodyOf(request) })
    response.end('{}')
  }
  const headers = {
    host: 'wharf.example.com',
    'X-Many': 'a',
    authorization: 'OAuth 1',
    'content-type': 'application/json',
  }
  const sent = '{ "a":  [1] }'
  await rawCall(here, { method: 'DELETE', path: '/wharf/v1/hosts/x?q=a%3Db&q=+c', headers, body: sent })
  const { request, text } = await seen.promise
  assert.equal(`${request.method} ${request.url}`, 'DELETE /wharf/v1/hosts/x?q=a%3Db&q=+c')
  assert.equal(text, sent)
  const { host, authorization, 'x-many': many, 'content-length': length } = request.headers
  assert.deepEqual(
    { host, authorization, many, length },
    { host: 'wharf.example.com', authorization: 'OAuth 1', many: 'a', length: '13' },
  )
  const line = { method: 'DELETE', target: request.url ?? '' }
  const { source, protocol, host: forwardedHost } = hops.read(line, { [hopHeader]: request.headers[hopHeader] }) ?? {}
  assert.deepEqual(
    { source, protocol, forwardedHost },
    { source: '127.0.0.1', protocol: 'http', forwardedHost: 'wharf.example.com' },
  )
})

test('the response arrives unchanged', async () => {
  act = (_request, response) => {
    response.writeHead(
      418,
      'Short And Stout',
      [
        ['x-two', '1'],
        ['x-two', '2'],
        ['etag', '"e"'],
        ['content-length', '3'],
      ].flat(),
    )
    response.end('tea')
  }
  const answer = await rawCall(here, { path: '/' })
  assert.deepEqual(
    [answer.status, answer.text, answer.headers.get('x-two'), answer.headers.get('etag')],
    [418, 'tea', '1, 2', '"e"'],
  )
  const head = await rawCall(here, { method: 'HEAD', path: '/' })
  assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [418, '', '3'])
})

const ends: { name: string; act: (request: IncomingMessage, response: ServerResponse) => void }[] = [
  { name: 'hangs up', act: (request) => void request.socket.destroy() },
  { name: 'talks nonsense', act: (request) => void request.socket.end('what?\r\n\r\n') },
]
for (const { name, act: does } of ends)
  test(`a node that ${name} is a failure of the catalogue`, async () => {
    act = does
    const { status, body } = await rawCall(here, { path: '/' })
    assert.equal(status, 502)
    assert.equal(body.error?.code, 'SYS.1012')
  })

test('a response that breaks off breaks off for the caller too', async () => {
  act = (request, response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('12345', () => request.socket.destroy())
  }
  await assert.rejects(fetch(here).then((answer) => answer.text()))
})

test('a caller that disconnects ends the forwarded call', async () => {
  const received = Promise.withResolvers<ServerResponse>()
  act = (_request, response) => received.resolve(response)
  const caller = new AbortController()
  const called = fetch(here, { signal: caller.signal }).catch(() => {})
  const response = await received.promise
  const closed = once(response, 'close', { signal: AbortSignal.timeout(10_000) })
  caller.abort()
  await Promise.all([closed, called])
})
