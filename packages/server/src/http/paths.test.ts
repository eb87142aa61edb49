import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertFailure, rawCall, TestServer } from '@wharf/testkit'
import { methodTable, refuseAmbiguousPath } from './paths.ts'

const server = await TestServer.start({ after })
const { origin } = new URL(server.url)

const plainPaths = [
  '/',
  '/v1/hosts',
  '/v1/hosts/a.b',
  '/v1/..hosts',
  '/v1/a...',
  '/v1/%E4%B8%AD',
  '/v1/hosts?q=../%2f%00',
]
const ambiguousPaths = [
  '/v1/../healthz',
  '/v1/..',
  '/v1/.',
  '/./v1/hosts',
  '/v1/%2e%2e/hosts',
  '/v1/.%2E/hosts',
  '/v1/hosts/a%2Fb',
  '/v1/hosts/a%2fb',
  '/v1/hosts%00',
  '/v1/hosts/a%5cb',
  '/v1\\hosts',
  '/nothing/here/%2F',
]

test('an unambiguous path is accepted', () => {
  for (const path of plainPaths) assert.doesNotThrow(() => refuseAmbiguousPath(path), path)
})

test('a path that two programs could read differently is rejected', () => {
  for (const path of ambiguousPaths) assert.throws(() => refuseAmbiguousPath(path), { code: 'SYS.1007' }, path)
})

test('the method table finds every pattern that matches a path, and HEAD for each GET that is not a stream', () => {
  const methodsOf = methodTable([
    { method: 'PUT', path: '/v1/accounts/login' },
    { method: 'GET', path: '/v1/accounts/{uuid}' },
    { method: 'DELETE', path: '/v1/accounts/{uuid}' },
    { method: 'GET', path: '/v1/events', mode: 'stream' },
    { method: 'GET', path: '/openapi.json' },
  ])
  assert.deepEqual(methodsOf('/v1/accounts/login'), ['DELETE', 'GET', 'HEAD', 'PUT'])
  assert.deepEqual(methodsOf('/v1/accounts/x'), ['DELETE', 'GET', 'HEAD'])
  assert.deepEqual(methodsOf('/v1/events'), ['GET'])
  for (const path of ['/v1/accounts', '/v1/accounts/', '/v1/accounts/x/y', '/openapiXjson', '/x/v1/events'])
    assert.deepEqual(methodsOf(path), [], path)
})

test('every route works with the prefix and without it', async () => {
  for (const path of ['/v1/management-nodes', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])
    for (const prefix of ['', '/wharf']) {
      const { status } = await rawCall(origin, {
        path: prefix + path,
        headers: path.startsWith('/v1') ? server.admin.authorization('GET', path) : {},
      })
      assert.equal(status, 200, prefix + path)
    }
})

test('only the prefix itself is removed, and only once', async () => {
  for (const path of [
    '/wharfv1/hosts',
    '/wharf2/v1/hosts',
    '/wharf/wharf/v1/hosts',
    '/WHARF/v1/hosts',
    '/x/wharf/v1/hosts',
  ])
    assertFailure(await rawCall(origin, { path }), { status: 404, code: 'SYS.1003' })
})

const unknown: { send: string; status: 404 | 405; allow?: string }[] = [
  { send: 'GET /v2/hosts', status: 404 },
  { send: 'GET /v1', status: 404 },
  { send: 'GET /v1/nothing', status: 404 },
  { send: 'GET //v1/hosts', status: 404 },
  { send: 'GET /V1/hosts', status: 404 },
  { send: 'POST /v1/tags/x/y', status: 404 },
  { send: 'DELETE /v1/tags', status: 405, allow: 'GET, HEAD, POST' },
  { send: 'PATCH /v1/tags', status: 405, allow: 'GET, HEAD, POST' },
  { send: 'OPTIONS /v1/tags', status: 405, allow: 'GET, HEAD, POST' },
  { send: 'PROPFIND /v1/tags', status: 405, allow: 'GET, HEAD, POST' },
  { send: 'TRACE /v1/tags', status: 405, allow: 'GET, HEAD, POST' },
  { send: 'POST /v1/tags/x', status: 405, allow: 'DELETE, GET, HEAD' },
  { send: 'POST /wharf/v1/accounts/login', status: 405, allow: 'DELETE, GET, HEAD, PUT' },
  { send: 'PUT /v1/events?a=b', status: 405, allow: 'GET' },
  { send: 'POST /healthz', status: 405, allow: 'GET, HEAD' },
  { send: 'DELETE /openapi.json', status: 405, allow: 'GET, HEAD' },
]

for (const { send, status, allow } of unknown)
  test(`${send} is ${status}, before authentication and before the body is read`, async () => {
    const [method = '', path = ''] = send.split(' ')
    // the announced body is never sent: the response must not wait for it
    const announced = { 'content-type': 'text/nonsense', 'content-length': '999999999' }
    const answer = await rawCall(origin, { method, path, headers: announced })
    assertFailure(answer, { status, code: status === 404 ? 'SYS.1003' : 'SYS.1007' })
    assert.equal(answer.headers.get('allow'), allow ?? null)
  })

test('an ambiguous path is 400, with and without the prefix, known or not', async () => {
  for (const path of ambiguousPaths)
    for (const prefix of ['', '/wharf'])
      assertFailure(await rawCall(origin, { path: prefix + path }), {
        status: 400,
        code: 'SYS.1007',
        details: 'the path',
      })
})

test('a broken escape in a path is 400', async () => {
  for (const path of ['/v1/tags/%zz', '/wharf/v1/tags/%E4%B8', '/nothing/%'])
    assertFailure(await rawCall(origin, { path }), { status: 400, code: 'SYS.1007', details: 'broken % escape' })
})

test('a part of a path that no identifier could fill is 414', async () => {
  const path = `/v1/tags/${'a'.repeat(2000)}`
  assertFailure(await rawCall(origin, { path }), { status: 414, code: 'SYS.1007' })
})

test('a malformed uuid in a path is a resource that does not exist', async () => {
  const malformed = ['', 'x', 'G'.repeat(32), 'a'.repeat(31), `${'a'.repeat(32)}%20`, '%E4%B8%AD', "'or'1'='1"]
  for (const uuid of malformed)
    for (const [method, tail] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PUT', '/actions'],
    ] as const) {
      const resource = method === 'PUT' ? 'releases' : 'tags'
      const answer = await server.admin.call(method, `/v1/${resource}/${uuid}${tail}`)
      assertFailure(answer, { status: 404, code: 'SYS.1003' })
    }
})

test('HEAD is GET without the body', async () => {
  const get = await server.admin.get('/v1/management-nodes')
  const head = await server.admin.call('HEAD', '/v1/management-nodes')
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)))
  assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
  assert.equal((await server.anonymous.call('HEAD', '/v1/management-nodes')).status, 401)
  assert.equal((await server.anonymous.call('HEAD', '/healthz')).status, 200)
})

test('a request may name the whole address, with the prefix and without it', async () => {
  for (const path of [`${origin}/v1/management-nodes`, `${origin}/wharf/v1/management-nodes`, `${origin}/healthz`]) {
    const headers = { authorization: `OAuth ${await sessionOf(server)}` }
    assert.equal((await rawCall(origin, { path, headers })).status, 200, path)
  }
  assert.equal((await rawCall(origin, { path: `${origin}/nothing` })).status, 404)
})

test('an empty segment is not a value: 404 before authentication', async () => {
  for (const path of ['/v1/tags/', '/wharf/v1/hosts/', '/v1/hosts//actions'])
    assert.equal((await rawCall(origin, { path })).status, 404, path)
})

async function sessionOf({ anonymous, bootstrap: { password } }: TestServer): Promise<string> {
  const { body } = await anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'admin', password } })
  return (body.inventory as { uuid: string }).uuid
}
