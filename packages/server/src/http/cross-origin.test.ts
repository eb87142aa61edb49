import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'

const page = 'https://console.example.com'
const other = 'https://elsewhere.example.com'
const closed = await TestServer.start({ after })
const open = await TestServer.start(
  { after },
  { environment: { WHARF_CORS_ORIGINS: `${page}, http://127.0.0.1:9000` } },
)

const preflightHeaders = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' }
const corsHeaders = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

test('by default no page of another origin may call', async () => {
  const answer = await closed.admin.get('/v1/tags', { origin: page })
  assert.equal(answer.status, 200)
  assert.deepEqual(corsHeaders(answer.headers), [])
  const preflight = await closed.anonymous.call('OPTIONS', '/v1/tags', undefined, { origin: page, ...preflightHeaders })
  assertFailure(preflight, { status: 405, code: 'SYS.1007' })
  assert.deepEqual(corsHeaders(preflight.headers), [])
})

test('a configured origin may preflight, call, and read the exposed headers', async () => {
  for (const origin of [page, 'http://127.0.0.1:9000']) {
    const preflight = await open.anonymous.call('OPTIONS', '/v1/tags', undefined, { origin, ...preflightHeaders })
    assert.equal(preflight.status, 200)
    assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, POST, PUT, DELETE')
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization.*X-Date.*X-Job-UUID/)
    assert.ok(preflight.headers.get('x-request-id'))
    const answer = await open.admin.get('/v1/tags', { origin })
    assert.equal(answer.headers.get('access-control-allow-origin'), origin)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-Request-Id.*Location.*X-Job-Success/)
    assert.equal(answer.headers.get('access-control-allow-credentials'), null, 'there are no cookies to send')
  }
})

test('a configured origin can read failures too', async () => {
  for (const path of ['/v1/tags', '/nothing', '/v1/tags?x']) {
    const answer = await open.anonymous.get(path, { origin: page })
    assert.ok(answer.status >= 400)
    assert.equal(answer.headers.get('access-control-allow-origin'), page, path)
  }
})

test('another origin gets no CORS header, and Vary names Origin', async () => {
  for (const origin of [other, 'null', `${page}.evil.example`, page.toUpperCase()]) {
    const answer = await open.admin.get('/v1/tags', { origin })
    assert.deepEqual(corsHeaders(answer.headers), [], origin)
    assert.equal(answer.headers.get('vary'), 'origin')
    const preflight = await open.anonymous.call('OPTIONS', '/v1/tags', undefined, { origin, ...preflightHeaders })
    assertFailure(preflight, { status: 405, code: 'SYS.1007' })
  }
})

test('a compressed response varies by encoding as well', async () => {
  const headers = { origin: page, 'accept-encoding': 'gzip' }
  const answer = await open.anonymous.fetch('GET', '/openapi.json', { headers })
  await answer.arrayBuffer()
  assert.equal(answer.headers.get('vary'), 'origin, accept-encoding')
})
