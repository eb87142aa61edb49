import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { type Answer, assertFailure, Client, MovingClock, rawCall, TestServer } from '@wharf/testkit'

const noon = Date.parse('2026-11-05T12:00:00Z')
const second = 1000
const clock = new MovingClock(noon)
const server = await TestServer.start(
  { after },
  { clock, environment: { WHARF_AUTH_SCHEMES: 'Service,Harbour', WHARF_TRUSTED_PROXIES: '127.0.0.1/32' } },
)
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap

interface Signed {
  method?: string
  /** What is called; the host's part of the server's own address is added. */
  path?: string
  /** What is signed, where that differs. */
  signedPath?: string
  signedMethod?: string
  date?: string
  signedDate?: string
  headers?: Record<string, string>
  scheme?: string
  keyId?: string
  keySecret?: string
}

let caller = 0

/** Each call comes from another address, so that failures do not add up. */
function send({ method = 'GET', path = '/v1/tags', date = new Date(clock.now()).toUTCString(), ...more }: Signed) {
  const { signedMethod = method, signedDate = date, signedPath = path, scheme = 'Service' } = more
  const signature = createHmac('sha1', more.keySecret ?? secret)
    .update(`${signedMethod}\n${signedDate}\n${signedPath}`)
    .digest('base64')
  const authorization = `${scheme} ${more.keyId ?? id}:${signature}`
  const source = `10.0.${caller >> 8}.${caller++ & 255}`
  const headers = { date, authorization, 'x-forwarded-for': source, ...more.headers }
  return rawCall(server.url, { method, path, headers })
}

const served = async (call: Signed, status = 200): Promise<void> => {
  const answer = await send(call)
  assert.equal(answer.status, status, answer.text)
}

const oneText = 'wrong accessKey signature, or access key id unknown or disabled'

function isRefused(answer: Answer, text = oneText): void {
  assertFailure(answer, { status: 401, code: 'ID.1000' })
  assert.equal(answer.body.error?.details, `${text} (request ${answer.headers.get('x-request-id')})`)
  assert.equal(
    answer.headers.get('www-authenticate'),
    'OAuth realm="wharf", Service realm="wharf", Harbour realm="wharf"',
  )
}

/** Noon in Greenwich on the clocks of each zone. */
const zones: Record<string, string> = {
  GMT: '12:00:00',
  UTC: '12:00:00',
  UT: '12:00:00',
  Z: '12:00:00',
  gmt: '12:00:00',
  '+00': '12:00:00',
  '+08': '20:00:00',
  '+0800': '20:00:00',
  '+08:00': '20:00:00',
  '-0330': '08:30:00',
  'GMT+08:00': '20:00:00',
  'UTC-05': '07:00:00',
  'UTC+0530': '17:30:00',
  'Etc/UTC': '12:00:00',
  PRC: '20:00:00',
  'Asia/Shanghai': '20:00:00',
  'asia/shanghai': '20:00:00',
  'America/New_York': '07:00:00',
  'Europe/Berlin': '13:00:00',
  CST: '20:00:00',
  cst: '20:00:00',
  EST: '07:00:00',
  EDT: '08:00:00',
  CDT: '07:00:00',
  MST: '05:00:00',
  MDT: '06:00:00',
  PST: '04:00:00',
  PDT: '05:00:00',
  JST: '21:00:00',
  KST: '21:00:00',
  HKT: '20:00:00',
  SGT: '20:00:00',
  ICT: '19:00:00',
  MMT: '18:30:00',
  IST: '17:30:00',
  CET: '13:00:00',
  CEST: '14:00:00',
  MSK: '15:00:00',
  BST: '13:00:00',
  AEDT: '23:00:00',
  NST: '08:30:00',
  EAT: '15:00:00',
}

for (const [zone, time] of Object.entries(zones)) {
  test(`takes a date in ${zone}`, () => served({ date: `Thu, 05 Nov 2026 ${time} ${zone}` }))
}

for (const [name, date] of Object.entries({
  'a day of one digit': 'Thu, 5 Nov 2026 12:00:00 GMT',
  'a wrong weekday': 'Mon, 05 Nov 2026 12:00:00 GMT',
  'names in capitals': 'THU, 05 NOV 2026 12:00:00 GMT',
  'names in small letters': 'thu, 05 nov 2026 12:00:00 gmt',
  'the other side of midnight': 'Fri, 06 Nov 2026 02:00:00 +1400',
})) {
  test(`takes a date with ${name}`, () => served({ date }))
}

const skewText = `${oneText}; the Date header must be within 15 minutes of Thu, 05 Nov 2026 12:00:00 GMT`

for (const [name, date] of Object.entries({
  'a day that does not exist': 'Sat, 31 Nov 2026 12:00:00 GMT',
  'another format': '2026-11-05T12:00:00Z',
  'nothing in it': '',
  'sixteen minutes too late': 'Thu, 05 Nov 2026 12:16:00 GMT',
  'the same hour in the wrong zone': 'Thu, 05 Nov 2026 12:00:00 CST',
})) {
  test(`rejects a date with ${name}, and returns the time of the server`, async () =>
    isRefused(await send({ date }), skewText))
}

for (const [name, date, problem] of [
  ['no zone', 'Thu, 05 Nov 2026 12:00:00', 'names no time zone'],
  ['an unknown zone', 'Thu, 05 Nov 2026 12:00:00 XYZ', 'has an unknown time zone "XYZ"'],
  ['more than a zone', 'Thu, 05 Nov 2026 12:00:00 GMT x', 'has an unknown time zone "GMT x"'],
] as const)
  test(`names the zone of a date with ${name}, and does not count it as a wrong key`, async () => {
    for (let attempt = 0; attempt < 12; attempt++)
      isRefused(
        await send({ date, headers: { 'x-forwarded-for': '192.0.2.77' } }),
        `the Date header ${problem}; write the time in GMT, or with an offset such as +0800`,
      )
    await served({ date: 'Thu, 05 Nov 2026 12:00:00 GMT', headers: { 'x-forwarded-for': '192.0.2.77' } })
  })

test('a date may be fifteen minutes off, to the millisecond', async (t) => {
  t.after(() => clock.advance(noon - clock.now()))
  const date = 'Thu, 05 Nov 2026 12:00:00 GMT'
  for (const [offset, status] of [
    [-900 * second, 200],
    [-900 * second - 1, 401],
    [900 * second, 200],
    [900 * second + 1, 401],
  ] as const) {
    clock.advance(noon + offset - clock.now())
    await served({ date }, status)
  }
})

test('X-Date replaces Date and is the signed value', async () => {
  const date = 'Thu, 05 Nov 2026 12:00:00 GMT'
  const other = 'Thu, 05 Nov 2026 12:00:01 GMT'
  await served({ date: 'Sun, 01 Jan 2006 00:00:00 GMT', signedDate: date, headers: { 'x-date': date } })
  await served({ date: 'nonsense', signedDate: date, headers: { 'x-date': date } })
  isRefused(await send({ date, headers: { 'x-date': other } }))
  isRefused(await send({ date, headers: { 'x-date': 'nonsense' } }), skewText)
})

const paths: { name: string; call: Signed; status: number }[] = [
  { name: 'the path behind the prefix', call: { path: '/wharf/v1/tags', signedPath: '/v1/tags' }, status: 200 },
  { name: 'the prefix too', call: { path: '/wharf/v1/tags' }, status: 401 },
  {
    name: 'the path without the query',
    call: { path: '/v1/tags?limit=1&q=name=x', signedPath: '/v1/tags' },
    status: 200,
  },
  { name: 'the query too', call: { path: '/v1/tags?limit=1' }, status: 401 },
  { name: 'the encoded path', call: { path: '/v1/tags/a%20b%E6%B8%AF' }, status: 404 },
  { name: 'the decoded path', call: { path: '/v1/tags/a%20b%E6%B8%AF', signedPath: '/v1/tags/a b港' }, status: 404 },
  { name: 'a path decoded twice', call: { path: '/v1/tags/a%2520b', signedPath: '/v1/tags/a b' }, status: 401 },
  { name: 'another path', call: { signedPath: '/v1/hosts' }, status: 401 },
  { name: 'the path in capitals', call: { signedPath: '/V1/TAGS' }, status: 401 },
  { name: 'another method', call: { signedMethod: 'POST' }, status: 401 },
  { name: 'the method in small letters', call: { signedMethod: 'get' }, status: 401 },
  { name: 'HEAD', call: { method: 'HEAD' }, status: 200 },
  { name: 'GET for HEAD', call: { method: 'HEAD', signedMethod: 'GET' }, status: 401 },
  { name: 'another second', call: { signedDate: 'Thu, 05 Nov 2026 12:00:01 GMT' }, status: 401 },
  { name: 'the same instant written otherwise', call: { signedDate: 'Thu, 05 Nov 2026 12:00:00 UTC' }, status: 401 },
]
for (const { name, call, status } of paths)
  test(`${status === 401 ? 'does not take' : 'takes'} a signature over ${name}`, () => served(call, status))

test('scheme words ignore case, and each that is configured counts', async () => {
  for (const scheme of ['Service', 'service', 'SERVICE', 'sErViCe', 'Harbour', 'HARBOUR']) await served({ scheme })
  for (const scheme of ['Servic', 'ZStack', 'Bearer'])
    isRefused(await send({ scheme }), 'the Authorization header must read OAuth <session> or Service <id>:<signature>')
})

test('every failure of a key has the same text', async () => {
  const { accountUuid } = server.bootstrap
  const params = { accountUuid, userUuid: accountUuid, AccessKeyID: 'disabled-key', AccessKeySecret: 'its-own-secret' }
  const { uuid } = (await server.admin.post('/v1/accesskeys', { params })).body.inventory as { uuid: string }
  const disabled = { keyId: 'disabled-key', keySecret: 'its-own-secret' }
  await served(disabled)
  await server.admin.put(`/v1/accesskeys/${uuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } })
  const failures: Signed[] = [
    disabled,
    { keyId: 'no-such-key' },
    { keyId: id.toLowerCase() },
    { keySecret: 'another-secret' },
    { headers: { authorization: `Service ${id}:x` } },
    { headers: { authorization: `Service ${id}:${'A'.repeat(5000)}` } },
  ]
  for (const failure of failures) isRefused(await send(failure))
})

test('an unreadable credential is reported as such', async () => {
  const text = 'the Authorization header must read OAuth <session> or Service <id>:<signature>'
  for (const authorization of ['Basic YTpi', 'Service', `Service ${id}`, `Service :x`, `Service ${id}:`, 'OAuth', 'x'])
    isRefused(await send({ headers: { authorization } }), text)
})

test('a missing credential and an ended session have other errors than a wrong one', async () => {
  for (const [authorization, details] of [
    ['', 'the Authorization header is missing'],
    ['OAuth nonsense', 'the session is unknown or has ended'],
  ] as const) {
    const answer = await send({ headers: { authorization } })
    assertFailure(answer, { status: 401, code: 'ID.1001', details })
    assert.match(answer.headers.get('www-authenticate') ?? '', /^OAuth /)
  }
})

test('two equal calls in one second are both served: there is no replay cache', async () => {
  const call = { date: 'Thu, 05 Nov 2026 12:00:00 GMT', headers: { 'x-forwarded-for': '10.9.9.9' } }
  await served(call)
  await served(call)
})

test('a key signs JSON bodies of any content type', async () => {
  const signed = new Client(server.url, { kind: 'key', id, secret }, clock)
  const body = '  {"params":{"name":"by a form"}}'
  const answer = await signed.post('/v1/tags', body, { 'content-type': 'application/x-www-form-urlencoded' })
  assert.equal(answer.status, 200, answer.text)
})

test('CST has all its meanings, or the configured one', async (t) => {
  for (const time of ['06:00:00', '07:00:00', '20:00:00']) await served({ date: `Thu, 05 Nov 2026 ${time} CST` })
  const elsewhere = await TestServer.start(t, { clock, environment: { WHARF_DATE_CST: '-06:00' } })
  const key = { id: elsewhere.bootstrap.accessKeyId, secret: elsewhere.bootstrap.accessKeySecret }
  for (const [time, status] of [
    ['06:00:00', 200],
    ['20:00:00', 401],
  ] as const) {
    const date = `Thu, 05 Nov 2026 ${time} CST`
    const signature = createHmac('sha1', key.secret).update(`GET\n${date}\n/v1/tags`).digest('base64')
    const answer = await elsewhere.anonymous.get('/v1/tags', { date, authorization: `Service ${key.id}:${signature}` })
    assert.equal(answer.status, status, answer.text)
  }
})
