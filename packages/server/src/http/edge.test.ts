import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { operation, optional, TagInventory, Text } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type Answer, assertFailure, EventReader, MovingClock, rawBytes, rawCall, TestServer } from '@wharf/testkit'
import { handle } from '../calls/bind.ts'

const fail = operation({
  name: 'Fail',
  resource: 'demo',
  method: 'POST',
  path: '/v1/failures',
  structure: 'params',
  summary: 'Fail in one way or another',
  since: 'wharf-1.0.0',
  permission: 'operate',
  fields: { how: optional(Text(20)) },
  answer: {},
})

const server = await TestServer.start(
  { after },
  {
    extend: () => [
      handle(fail, async ({ fields }) => {
        if (fields.how === 'nested')
          throw new ApiError('SYS.1015', 'outer', {
            cause: new ApiError('SYS.1016', 'inner', { cause: new Error('canary') }),
          })
        throw new Error('canary: /etc/passwd at line 5')
      }),
    ],
  },
)
const { origin } = new URL(server.url)
const uuid = 'a'.repeat(32)

const inventoryOf = (answer: Answer): Record<string, unknown> => answer.body.inventory as Record<string, unknown>

test('a success is 200 with the declared fields, success and error, and nothing else', async () => {
  const created = await server.admin.post('/v1/tags', { params: { name: 'envelope' } })
  assert.equal(created.status, 200)
  assert.equal(created.headers.get('content-type'), 'application/json;charset=UTF-8')
  assert.deepEqual(Object.keys(created.body), ['inventory', 'success', 'error'])
  assert.deepEqual([created.body.success, created.body.error], [true, null])
  assert.deepEqual(Object.keys(inventoryOf(created)), Object.keys(TagInventory.schema.properties))
  assert.equal(inventoryOf(created).color, null, 'present although it was not sent')
  assert.match(String(inventoryOf(created).createDate), /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d (AM|PM)$/)

  const list = await server.admin.get('/v1/tags')
  assert.deepEqual(Object.keys(list.body), ['inventories', 'success', 'error'])
  const one = await server.admin.get(`/v1/tags/${inventoryOf(created).uuid}`)
  assert.deepEqual(one.body.inventories, [inventoryOf(created)])
  const removed = await server.admin.delete(`/v1/tags/${inventoryOf(created).uuid}`)
  assert.equal(removed.text, '{"success":true,"error":null}')
})

const everyKindOfAnswer = [
  'GET /v1/tags',
  `GET /v1/tags/${uuid}`,
  'POST /v1/tags',
  'POST /v1/failures',
  'PATCH /v1/tags',
  'GET /nothing',
  'GET /v1/%zz',
  'GET /v1/%2f',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'HEAD /v1/tags',
  'OPTIONS /v1/tags',
  `GET /v1/accounts/sessions/${uuid}/valid`,
]

test('every response has its own request id', async () => {
  const ids = new Set<string>()
  for (const call of everyKindOfAnswer)
    for (const client of [server.admin, server.anonymous]) {
      const [method = '', path = ''] = call.split(' ')
      const headers = { ...client.authorization(method, path), 'x-request-id': 'chosen-by-the-client' }
      const answer = await rawCall(origin, { method, path, headers })
      const id = answer.headers.get('x-request-id') ?? ''
      assert.match(id, /^[0-9a-f]{32}$/, call)
      assert.ok(!ids.has(id), call)
      ids.add(id)
      if (answer.body.error) assert.ok(answer.body.error.details.endsWith(`(request ${id})`), call)
    }
  const stream = await server.admin.fetch('GET', '/v1/events')
  assert.match(stream.headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/)
  await stream.body?.cancel()
})

test('the request id is in the log, with the call and its result', async () => {
  const answer = await server.admin.get(`/v1/tags/${uuid}?fields=name`)
  const id = answer.headers.get('x-request-id') ?? ''
  const lines = () => server.logText.split('\n').filter((line) => line.includes(id))
  for (let attempt = 0; attempt < 100 && lines().length === 0; attempt++) await delay(10)
  const [line = ''] = lines()
  const entry = JSON.parse(line)
  assert.deepEqual(
    [entry.requestId, entry.method, entry.path, entry.operation, entry.status],
    [id, 'GET', `/v1/tags/${uuid}`, 'GetTag', 404],
  )
})

test('an internal error is 500 without details, and is in the log with the request id', async () => {
  const answer = await server.admin.post('/v1/failures')
  assertFailure(answer, { status: 500, code: 'SYS.1000' })
  assert.doesNotMatch(answer.text, /canary|passwd|\.ts|node:/)
  const id = answer.headers.get('x-request-id') ?? '?'
  assert.ok(server.logText.split('\n').some((line) => line.includes(id) && line.includes('canary: /etc/passwd')))
})

test('causes nest, and one that is not in the catalogue is not returned', async () => {
  const answer = await server.admin.post('/v1/failures', { params: { how: 'nested' } })
  assertFailure(answer, { status: 502, code: 'SYS.1015', details: 'outer' })
  assert.deepEqual(answer.body.error?.cause, {
    code: 'SYS.1016',
    description: 'input or output failed',
    details: 'inner',
    elaboration: null,
    opaque: null,
    cause: null,
  })
})

test('a rejected call changes nothing and publishes no event', async () => {
  const reader = new EventReader(server.admin, '/v1/events')
  assert.equal(await reader.status, 200)
  const before = await server.admin.get('/v1/tags?count=true')
  for (const params of [
    { name: 'x', nonsense: 1 },
    { name: '' },
    { name: 'x', color: 5 },
    { name: 'x', resourceUuid: 'x' },
  ])
    assertFailure(await server.admin.post('/v1/tags', { params }), { status: 400, code: 'SYS.1007' })
  assert.equal((await server.admin.get('/v1/tags?count=true')).body.total, before.body.total)
  const made = await server.admin.post('/v1/tags', { params: { name: 'after the refused ones' } })
  const [event] = await reader.take(1)
  assert.equal(
    JSON.parse(event?.data ?? '{}').uuid,
    inventoryOf(made).uuid,
    'the first event is of the call that did something',
  )
  reader.stop()
})

test('tags beside the structure and inside it are stored together', async () => {
  const { body } = await server.admin.post('/v1/tags', {
    params: { name: 'tagged', userTags: ['inside', 'both'] },
    userTags: ['beside', ' both '],
    systemTags: ['uploadUrl::x'],
  })
  const of = (body.inventory as { uuid: string }).uuid
  const user = await server.admin.get(`/v1/user-tags?q=resourceUuid=${of}&fields=tag&sort=tag`)
  assert.deepEqual(user.body.inventories, [{ tag: 'beside' }, { tag: 'both' }, { tag: 'inside' }])
  const system = await server.admin.get(`/v1/system-tags?q=resourceUuid=${of}&fields=tag`)
  assert.deepEqual(system.body.inventories, [{ tag: 'uploadUrl::x' }])
})

test('headers that client libraries add are ignored, and unsupported ones are rejected', async () => {
  const ignored = { 'x-json-schema': 'true', 'x-request-ip': '9.9.9.9', 'x-session-id': 'nonsense' }
  assert.equal((await server.admin.get('/v1/tags', ignored)).status, 200)
  const hooked = await server.admin.post(
    '/v1/tags',
    { params: { name: 'hooked' } },
    { 'x-web-hook': 'http://127.0.0.1/' },
  )
  assertFailure(hooked, { status: 400, code: 'SYS.1014', details: 'X-Web-Hook' })
  assert.deepEqual((await server.admin.get('/v1/tags?q=name=hooked')).body.inventories, [])
})

test('a response with 401 lists the authentication schemes', async () => {
  const answer = await server.anonymous.get('/v1/tags')
  assertFailure(answer, { status: 401, code: 'ID.1001' })
  assert.equal(answer.headers.get('www-authenticate'), 'OAuth realm="wharf", Service realm="wharf"')
})

const unreadable: { name: string; bytes: string; status: number }[] = [
  { name: 'no HTTP at all', bytes: 'hello\r\n\r\n', status: 400 },
  { name: 'a TLS greeting', bytes: '\x16\x03\x01\x02\x00\x01\x00', status: 400 },
  { name: 'a method that does not exist', bytes: 'FOO /v1/tags HTTP/1.1\r\nhost: x\r\n\r\n', status: 400 },
  { name: 'a control character in a header', bytes: 'GET / HTTP/1.1\r\nhost: x\r\na: \x01\r\n\r\n', status: 400 },
  { name: 'no Host', bytes: 'GET /v1/tags HTTP/1.1\r\nconnection: close\r\n\r\n', status: 400 },
  {
    name: 'two lengths of one body',
    bytes: 'POST /v1/tags HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    status: 400,
  },
  {
    name: 'a length that is not a number',
    bytes: 'POST /v1/tags HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n',
    status: 400,
  },
  {
    name: 'an address without end',
    bytes: `GET /v1/tags?q=${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    status: 414,
  },
  {
    name: 'a header without end',
    bytes: `GET /v1/tags HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`,
    status: 431,
  },
  {
    name: 'headers without end',
    bytes: `GET /v1/tags HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`,
    status: 431,
  },
]

for (const { name, bytes, status } of unreadable)
  test(`input that the HTTP parser rejects has the same body: ${name} is ${status}`, async () => {
    assertFailure(await rawBytes(origin, bytes), { status, code: 'SYS.1007' })
  })

test('a request that does not arrive in time is 408 in JSON', async () => {
  server.app.http.server.once('connection', (socket) => {
    // Node checks for slow requests periodically; this is its error
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    setTimeout(() => server.app.http.server.emit('clientError', late, socket), 20)
  })
  assertFailure(await rawBytes(origin, 'GET /v1/tags HTT'), { status: 408, code: 'SYS.1007' })
})

test('an unknown expectation is ignored', async () => {
  const answer = await rawCall(origin, { path: '/healthz', headers: { expect: 'the-unexpected' } })
  assert.equal(answer.status, 200)
})

/** fetch decompresses automatically; this does not. */
const packed = (path: string, encoding: string | undefined): Promise<{ encoding: string | undefined; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...server.admin.authorization('GET', path),
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
    }
    httpRequest(origin + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })

test('a long response is compressed as the client accepts', async () => {
  const plain = await packed('/openapi.json', undefined)
  assert.equal(plain.encoding, undefined)
  for (const accepts of ['br', 'gzip, br', 'br, GZIP;q=0.5'])
    assert.deepEqual(
      await packed('/openapi.json', accepts).then(({ encoding, body }) => [encoding, brotliDecompressSync(body)]),
      ['br', plain.body],
    )
  for (const accepts of ['gzip', 'br;q=0, GZIP;q=0.5', 'deflate, gzip'])
    assert.deepEqual(
      await packed('/openapi.json', accepts).then(({ encoding, body }) => [encoding, gunzipSync(body)]),
      ['gzip', plain.body],
    )
  for (const refuses of ['identity', 'deflate', 'gzip;q=0', 'gzip;q=0.0, br;q=0', ''])
    assert.equal((await packed('/openapi.json', refuses)).encoding, undefined, refuses)
  assert.equal((await packed('/v1/tags', 'gzip')).encoding, undefined, 'a short one is not worth it')
})

test('too many failed logins are 429 with Retry-After; other addresses and sessions are not blocked', async (t) => {
  const clock = new MovingClock()
  const own = await TestServer.start(t, { clock })
  const operator = await own.signIn('operator')
  const logIn = (password: string) =>
    own.anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'admin', password } })
  for (let attempt = 0; attempt < 10; attempt++)
    assertFailure(await logIn('wrong'), { status: 401, code: 'ID.1000', details: 'wrong name or password' })
  const blocked = await logIn(own.bootstrap.password)
  assertFailure(blocked, { status: 429, code: 'ID.1003' })
  assert.equal(blocked.headers.get('retry-after'), '60')
  assert.equal((await operator.get('/v1/tags')).status, 200)
  clock.advance(60_000)
  assert.equal((await logIn(own.bootstrap.password)).status, 200)
})
