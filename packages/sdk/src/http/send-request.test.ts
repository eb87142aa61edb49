import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sendRequest as byFetch } from './fetch-request.ts'
import { sendRequest as byNode } from './node-request.ts'

const seen: IncomingMessage[] = []
const server = createServer(async (request, response) => {
  seen.push(request)
  switch (request.url) {
    case '/echo':
      return response.setHeader('X-Method', request.method ?? '').end(await text(request))
    case '/packed':
      return response.setHeader('content-encoding', 'gzip').end(gzipSync('äöü'.repeat(1000)))
    case '/redirect':
      return response.writeHead(307, { location: '/echo' }).end()
    case '/broken':
      return response.writeHead(200, { 'content-length': '100' }).write('part', () => response.destroy())
    case '/silent':
      return undefined
  }
  return response.writeHead(204).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close().closeAllConnections())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

for (const [name, send] of Object.entries({ 'node:http': byNode, fetch: byFetch })) {
  const request = { method: 'GET', headers: {}, signal: new AbortController().signal }

  test(`${name} sends the method, the headers and the body, and reads the response`, async () => {
    const response = await send(`${origin}/echo`, {
      ...request,
      method: 'PUT',
      headers: { 'x-one': '1' },
      body: '{"ä":1}',
    })
    assert.deepEqual([response.ok, response.status, await response.text()], [true, 200, '{"ä":1}'])
    assert.deepEqual([response.headers.get('X-Method'), response.headers.get('x-none')], ['PUT', null])
    assert.equal(seen.at(-1)?.headers['x-one'], '1')
    assert.match(seen.at(-1)?.headers['accept-encoding'] ?? '', /gzip/)
  })

  test(`${name} unpacks a compressed response`, async () => {
    assert.equal(await (await send(`${origin}/packed`, request)).text(), 'äöü'.repeat(1000))
  })

  test(`${name} reads a response without a body`, async () => {
    const response = await send(`${origin}/nothing`, request)
    assert.deepEqual([response.status, await response.text()], [204, ''])
  })

  test(`${name} returns a redirect instead of following it`, async () => {
    const { ok, status, headers } = await send(`${origin}/redirect`, request)
    assert.deepEqual([ok, status, headers.get('location')], [false, 307, '/echo'])
  })

  test(`${name} rejects when the connection is refused or breaks`, async () => {
    const whole = async (url: string): Promise<string> => (await send(url, request)).text()
    await assert.rejects(whole('http://127.0.0.1:1/'), TypeError)
    await assert.rejects(whole(`${origin}/broken`), TypeError)
  })

  test(`${name} rejects with the reason of its signal`, async () => {
    const reason = new Error('no longer wanted')
    await assert.rejects(send(`${origin}/silent`, { ...request, signal: AbortSignal.abort(reason) }), reason)
    const abort = new AbortController()
    const answer = send(`${origin}/silent`, { ...request, signal: abort.signal })
    setTimeout(() => abort.abort(reason), 20)
    await assert.rejects(answer, reason)
  })
}
