import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { assertFailure, MovingClock, TestServer } from '@wharf/testkit'

/** The settings for client libraries of other platforms. */
const server = await TestServer.start(
  { after },
  {
    environment: {
      WHARF_BASE_PATH: '/zstack',
      WHARF_AUTH_SCHEMES: 'Service,ZStack',
      WHARF_EMPTY_NOT_FOUND: 'true',
    },
  },
)
const bare = await TestServer.start({ after }, { environment: { WHARF_BASE_PATH: '/' } })
const uuid = 'a'.repeat(32)

function signed(
  scheme: string,
  method: string,
  path: string,
  dateName: 'date' | 'x-date' = 'date',
): Record<string, string> {
  const { accessKeyId, accessKeySecret } = server.bootstrap
  const date = new Date().toUTCString()
  const signature = createHmac('sha1', accessKeySecret).update(`${method}\n${date}\n${path}`).digest('base64')
  return { [dateName]: date, authorization: `${scheme} ${accessKeyId}:${signature}` }
}

test('another prefix replaces ours; without a prefix everything works as before', async () => {
  assert.equal(server.url, `${new URL(server.url).origin}/zstack`)
  for (const [prefix, status] of [
    ['/zstack', 200],
    ['', 200],
    ['/wharf', 404],
  ] as const) {
    const response = await fetch(`${new URL(server.url).origin}${prefix}/v1/tags`, {
      headers: signed('ZStack', 'GET', '/v1/tags'),
    })
    assert.equal(response.status, status, prefix)
  }
})

test('no prefix at all', async () => {
  assert.equal((await bare.admin.get('/v1/tags')).status, 200)
  assertFailure(await bare.admin.get('/wharf/v1/tags'), { status: 404, code: 'SYS.1003' })
})

test('every configured scheme signs in, in any case, and no other', async () => {
  for (const scheme of ['ZStack', 'zstack', 'Service', 'SERVICE'])
    assert.equal((await server.anonymous.get('/v1/tags', signed(scheme, 'GET', '/v1/tags'))).status, 200, scheme)
  const other = await server.anonymous.get('/v1/tags', signed('Wharf', 'GET', '/v1/tags'))
  assertFailure(other, { status: 401, code: 'ID.1000' })
  assert.equal(
    other.headers.get('www-authenticate'),
    'OAuth realm="wharf", Service realm="wharf", ZStack realm="wharf"',
  )
})

test('X-Date replaces Date and is the signed value', async () => {
  const byXDate = signed('ZStack', 'GET', '/v1/tags', 'x-date')
  assert.equal((await server.anonymous.get('/v1/tags', byXDate)).status, 200)
  const both = { ...byXDate, date: 'Mon, 02 Nov 2020 01:02:03 GMT' }
  assert.equal((await server.anonymous.get('/v1/tags', both)).status, 200, 'the old Date does not count')
  const wrong = { ...signed('ZStack', 'GET', '/v1/tags'), 'x-date': 'Mon, 02 Nov 2020 01:02:03 GMT' }
  assertFailure(await server.anonymous.get('/v1/tags', wrong), { status: 401, code: 'ID.1000' })
})

test('an unknown uuid is an empty list where clients expect one', async () => {
  for (const path of [
    'tags',
    'hosts',
    'accounts',
    'users',
    'accesskeys',
    'backup-storage',
    'management-nodes',
    'user-tags',
  ]) {
    const { status, body } = await server.admin.get(`/v1/${path}/${uuid}`)
    assert.deepEqual([status, body], [200, { inventories: [], success: true, error: null }], path)
    assertFailure(await bare.admin.get(`/v1/${path}/${uuid}`), { status: 404, code: 'SYS.1003', details: uuid })
  }
})

test('changing or following a missing record is still 404', async () => {
  assertFailure(await server.admin.delete(`/v1/tags/${uuid}`), { status: 404, code: 'SYS.1003' })
  assertFailure(await server.admin.get(`/v1/api-jobs/${uuid}`), { status: 404, code: 'SYS.1003' })
})

for (const [zone, written] of [
  ['UTC', 'Nov 5, 2026 1:02:03 AM'],
  ['Asia/Shanghai', 'Nov 5, 2026 9:02:03 AM'],
  ['America/Chicago', 'Nov 4, 2026 7:02:03 PM'],
] as const)
  test(`times are written in the zone ${zone}`, async (t) => {
    const clock = new MovingClock(Date.UTC(2026, 10, 5, 1, 2, 3, 999))
    const own = await TestServer.start(t, { clock, environment: { WHARF_TIMEZONE: zone } })
    const { body } = await own.admin.post('/v1/tags', { params: { name: 'timed' } })
    assert.equal((body.inventory as { createDate: string }).createDate, written)
    const found = await own.admin.get(`/v1/tags?count=true&q=createDate>=${encodeURIComponent(written)}`)
    assert.equal(found.body.total, 1)
    const header = zone === 'UTC' ? null : zone
    for (const path of ['/v1/tags', '/v1/nothing', '/healthz'])
      assert.equal((await own.admin.get(path)).headers.get('x-time-zone'), header, path)
    assert.equal((await own.anonymous.get('/openapi.json')).body['x-time-zone'], zone)
  })
