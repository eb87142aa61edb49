import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  assertFailure,
  Client,
  EventReader,
  TestServer,
  type TrialScript,
  trialOperations,
} from '@wharf/testkit'

const folder = mkdtempSync(join(tmpdir(), 'wharf-protocol-'))
after(() => rmSync(folder, { recursive: true }))
const server = await TestServer.start({ after }, { extend: trialOperations, environment: { WHARF_HOLD_SECONDS: '60' } })
const operator = await server.signIn('operator')
const nobody = server.anonymous

const newUuid = (): string => randomBytes(16).toString('hex')
const demo = (script: Omit<TrialScript, 'trace'> = {}, trace = newUuid(), more = {}) => ({
  params: { script: JSON.stringify({ trace: join(folder, trace), ...script }), ...more },
})
const effects = (trace: string): string => {
  const file = join(folder, trace)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replaceAll('\n', ', ') : ''
}
const inTime = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  const began = performance.now()
  const result = await work
  assert.ok(performance.now() - began < limitMs, `took longer than ${limitMs} ms`)
  return result
}

/** Path and query of the location, which begin where every client's url ends. */
function jobOf({ status, headers, body, text }: Answer): {
  uuid: string
  token: string
  path: string
  withToken: string
} {
  assert.equal(status, 202, text)
  assert.deepEqual(Object.keys(body), ['location', 'success', 'error'])
  assert.deepEqual([body.success, body.error], [true, null])
  assert.equal(headers.get('location'), body.location)
  const { origin, pathname, searchParams } = new URL(String(body.location))
  assert.equal(origin, new URL(server.url).origin)
  const uuid = /^\/wharf\/v1\/api-jobs\/([0-9a-f]{32})$/.exec(pathname)?.[1] ?? ''
  const token = searchParams.get('token') ?? ''
  const path = `/v1/api-jobs/${uuid}`
  return { uuid, token, path, withToken: `${path}?token=${token}` }
}

async function ended(path: string): Promise<Answer> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const answer = await nobody.get(path)
    if (answer.status !== 202) return answer
    await delay(20)
  }
  throw new Error(`${path} did not end`)
}

const taken = await server.admin.post('/v1/tags', { params: { name: 'taken' } })
assert.equal(taken.status, 200)
const reader = await server.signIn('reader')

/** Started early, because it takes long, and checked at the end. */
const heldForLong = (async () => {
  const uuid = newUuid()
  const began = performance.now()
  const answer = await operator.post('/v1/demo-jobs', demo({ stepMs: 2500 }), { 'x-job-uuid': uuid })
  return { uuid, answer, heldMs: performance.now() - began }
})()

const success = '{"steps":"first second third","success":true,"error":null}'

test('a call waits and returns the result of its job', async () => {
  const answer = await operator.post('/v1/demo-jobs', demo())
  assert.equal(answer.status, 200)
  assert.equal(answer.text, success)
})

test('a call whose job fails returns its failure with the status of the code', async () => {
  const answer = await operator.post('/v1/demo-jobs', demo({ failAt: 'run second' }))
  assertFailure(answer, { status: 502, code: 'SYS.1016', details: 'run second fails as scripted' })
})

test('respond-async returns 202 immediately; the job then returns its progress, and finally the result', async () => {
  const answer = await inTime(2000, operator.post('/v1/demo-jobs', demo({ stepMs: 150 }), { prefer: 'respond-async' }))
  const { uuid, path, withToken } = jobOf(answer)
  assert.equal(answer.headers.get('preference-applied'), 'respond-async')
  const running = await operator.get(path)
  assert.equal(running.status, 202)
  const keys = [
    'uuid',
    'operation',
    'subjectUuid',
    'state',
    'progress',
    'currentStep',
    'createDate',
    'success',
    'error',
  ]
  assert.deepEqual(Object.keys(running.body), keys)
  assert.deepEqual([running.body.uuid, running.body.operation, running.body.state], [uuid, 'StartDemo', 'Running'])
  const last = await ended(withToken)
  assert.equal(last.status, 200)
  assert.equal(last.text, success, 'exactly what the call itself would have answered')
  assert.equal(last.headers.get('x-job-success'), null)
})

test('a failed job is 503 with the failure and a header', async () => {
  const answer = await operator.post('/v1/demo-jobs', demo({ failAt: 'run first' }), { prefer: 'respond-async' })
  const last = await ended(jobOf(answer).withToken)
  assertFailure(last, { status: 503, code: 'SYS.1016', details: 'run first fails as scripted' })
  assert.equal(last.headers.get('x-job-success'), 'false')
})

test('wait=N waits for N seconds', async () => {
  const quick = await operator.post('/v1/demo-jobs', demo({ stepMs: 50 }), { prefer: 'wait=30' })
  assert.deepEqual([quick.status, quick.headers.get('preference-applied')], [200, 'wait=30'])
  const began = performance.now()
  const slow = await operator.post('/v1/demo-jobs', demo({ stepMs: 700 }), { prefer: 'wait=1' })
  jobOf(slow)
  const held = performance.now() - began
  assert.ok(held >= 990 && held < 2000, `held ${held} ms`)
})

test('a dropped connection does not cancel', async () => {
  const trace = newUuid()
  const dropped = new AbortController()
  const headers = { 'content-type': 'application/json' }
  const call = operator.fetch('POST', '/v1/demo-jobs', {
    headers,
    body: JSON.stringify(demo({ stepMs: 150 }, trace)),
    signal: dropped.signal,
  })
  setTimeout(() => dropped.abort(), 100)
  await assert.rejects(call)
  for (let attempt = 0; attempt < 200 && !effects(trace).endsWith('third'); attempt++) await delay(20)
  assert.equal(effects(trace), 'run first, run second, run third')
})

test('the token reads its job and the log of it, without any credential and whatever credential is sent', async () => {
  const { path, token, withToken } = jobOf(await operator.post('/v1/demo-jobs', demo(), { prefer: 'respond-async' }))
  await ended(withToken)
  for (const authorization of ['OAuth nonsense', 'Service x:y', 'Bearer x', ''])
    assert.equal((await nobody.get(withToken, { authorization })).status, 200, authorization)
  const log = await nobody.get(`${path}/log?token=${token}`)
  assert.equal(log.status, 200)
  assert.equal(log.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(log.text, /step first\nrun first\nstep second/)
  const follower = new EventReader(nobody, `${path}/log?token=${token}&follow=true`)
  const lines = await follower.take(3)
  assert.deepEqual(
    lines.map(({ data }) => data),
    ['step first', 'run first', 'step second'],
  )
  follower.stop()
})

test('the token is valid for nothing else', async () => {
  const first = jobOf(await operator.post('/v1/demo-jobs', demo({ stepMs: 150 }), { prefer: 'respond-async' }))
  const second = jobOf(await operator.post('/v1/demo-jobs', demo(), { prefer: 'respond-async' }))
  const refused = [
    nobody.get(first.path),
    nobody.get(`${first.path}?token=`),
    nobody.get(`${first.path}?token=${second.token}`),
    nobody.get(`${first.path}/log?token=${second.token}`),
    nobody.get(`${first.path}?token=${first.token.slice(0, -1)}`),
    nobody.get(`${first.path}?token=x&token=${first.token}`),
    nobody.delete(first.withToken),
    nobody.get(`/v1/api-jobs?token=${first.token}`),
    nobody.get(`/v1/tags?token=${first.token}`),
  ]
  for (const answer of await Promise.all(refused)) assertFailure(answer, { status: 401, code: 'ID.1001' })
  assertFailure(await nobody.get(`${first.path}?token=%zz`), { status: 400, code: 'SYS.1007' })
  const wrong = await operator.get(`${first.path}?token=wrong`)
  assert.equal(wrong.status, 202, 'a wrong token does not spoil a good credential')
  assert.equal((await ended(first.withToken)).text, success, 'and nobody has cancelled it')
})

test('a deadline is 504, names the operation and the limit, and undoes', async () => {
  const trace = newUuid()
  const answer = await operator.post('/v1/demo-jobs', demo({ stepMs: 550 }, trace), { 'x-api-timeout': '1' })
  assertFailure(answer, { status: 504, code: 'SYS.1001', details: 'StartDemo did not end within 1 s' })
  assert.equal(effects(trace), 'run first, undo second, undo first')
})

test('a second job on a busy subject is rejected, and the first continues', async () => {
  const subjectUuid = newUuid()
  const first = jobOf(
    await operator.post('/v1/demo-jobs', demo({ stepMs: 200 }, newUuid(), { subjectUuid }), {
      prefer: 'respond-async',
    }),
  )
  const trace = newUuid()
  const second = await operator.post('/v1/demo-jobs', demo({}, trace, { subjectUuid }))
  assertFailure(second, { status: 409, code: 'SYS.1005', details: first.uuid })
  assert.equal((await ended(first.withToken)).status, 200)
  assert.equal(effects(trace), '')
})

// Clients of the job protocol

test('with X-Job-UUID the job has that uuid, and a result in time is returned directly', async () => {
  const uuid = newUuid()
  const answer = await operator.post('/v1/demo-jobs', demo(), { 'x-job-uuid': uuid.toUpperCase() })
  assert.equal(answer.text, success)
  assert.equal((await operator.get(`/v1/api-jobs/${uuid}`)).text, success)
})

test('with X-Job-UUID a job that fails in time is 202 as well', async () => {
  const uuid = newUuid()
  const answer = await operator.post('/v1/demo-jobs', demo({ failAt: 'run first' }), { 'x-job-uuid': uuid })
  assert.equal(jobOf(answer).uuid, uuid)
  const failed = await nobody.get(jobOf(answer).withToken)
  assertFailure(failed, { status: 503, code: 'SYS.1016', details: 'run first' })
  assert.equal(failed.headers.get('x-job-success'), 'false')
})

type Sent = [method: string, path: string, body?: unknown]
const call = (as: Client, [method, path, body]: Sent, headers: Record<string, string>): Promise<Answer> =>
  as.call(method, path, body, headers)

const missing = 'a'.repeat(32)

const failing: { name: string; as: Client; send: Sent; code: string }[] = [
  { name: 'invalid', as: operator, send: ['POST', '/v1/tags', { params: { name: '' } }], code: 'SYS.1007' },
  { name: 'broken', as: operator, send: ['POST', '/v1/tags', '{'], code: 'SYS.1007' },
  { name: 'too large', as: operator, send: ['POST', '/v1/tags', ' '.repeat(300_000)], code: 'SYS.1007' },
  { name: 'not supported', as: operator, send: ['POST', '/v1/tags', { filterName: 'x' }], code: 'SYS.1014' },
  {
    name: 'of a name that is taken',
    as: operator,
    send: ['POST', '/v1/tags', { params: { name: 'taken' } }],
    code: 'SYS.1002',
  },
  { name: 'of what does not exist', as: operator, send: ['DELETE', `/v1/tags/${missing}`], code: 'SYS.1003' },
  {
    name: 'of a key that does not exist',
    as: operator,
    send: ['PUT', `/v1/accesskeys/${missing}/actions`, { changeAccessKeyState: { stateEvent: 'enable' } }],
    code: 'SYS.1003',
  },
  { name: 'not allowed', as: reader, send: ['POST', '/v1/tags', { params: { name: 'x' } }], code: 'ID.1002' },
  { name: 'a job that cannot start', as: operator, send: ['POST', '/v1/demo-jobs', {}], code: 'SYS.1007' },
]

for (const { name, as, send, code } of failing)
  test(`with X-Job-UUID a call that is ${name} returns 202, and its job 503; repeated the same`, async () => {
    const headers = { 'x-job-uuid': newUuid() }
    const first = jobOf(await call(as, send, headers))
    assert.equal(first.uuid, headers['x-job-uuid'])
    const failed = await nobody.get(first.withToken)
    assertFailure(failed, { status: 503, code })
    assert.equal(failed.headers.get('x-job-success'), 'false')
    const again = jobOf(await call(as, send, headers))
    assert.equal(again.withToken, first.withToken)
    const { body } = await server.admin.get(`/v1/api-jobs?q=uuid=${first.uuid}&fields=state,errorCode`)
    assert.deepEqual(body.inventories, [{ state: 'Failed', errorCode: code }])
  })

test('the failure of a job is stored: another body under its uuid is 409, and so is another account', async () => {
  const headers = { 'x-job-uuid': newUuid() }
  jobOf(await operator.post('/v1/tags', { params: { name: '' } }, headers))
  const corrected = await operator.post('/v1/tags', { params: { name: 'corrected' } }, headers)
  assertFailure(corrected, { status: 409, code: 'JOB.1002' })
  assert.deepEqual((await server.admin.get('/v1/tags?q=name=corrected')).body.inventories, [])
  const stranger = await server.admin.post('/v1/tags', { params: { name: '' } }, headers)
  assertFailure(stranger, { status: 409, code: 'JOB.1002' })
})

const withoutJob: { name: string; as: Client; send: Sent; status: number }[] = [
  {
    name: 'a login',
    as: nobody,
    send: ['PUT', '/v1/accounts/login', { logInByAccount: { accountName: 'admin', password: 'wrong' } }],
    status: 401,
  },
  { name: 'a login that cannot be read', as: nobody, send: ['PUT', '/v1/accounts/login', { x: 1 }], status: 400 },
  { name: 'a GET', as: operator, send: ['GET', `/v1/tags/${missing}`], status: 404 },
  { name: 'a call without a credential', as: nobody, send: ['POST', '/v1/tags', {}], status: 401 },
  {
    name: 'a call with a session that has ended',
    as: new Client(server.url, { kind: 'session', uuid: missing }),
    send: ['POST', '/v1/tags', {}],
    status: 401,
  },
  { name: 'a path that does not exist', as: operator, send: ['POST', '/v1/nothing', {}], status: 404 },
]

for (const { name, as, send, status } of withoutJob)
  test(`with X-Job-UUID ${name} fails directly`, async () => {
    const uuid = newUuid()
    const answer = await call(as, send, { 'x-job-uuid': uuid })
    assert.equal(answer.status, status, answer.text)
    assertFailure(await server.admin.get(`/v1/api-jobs/${uuid}`), { status: 404, code: 'SYS.1003' })
  })

for (const send of [
  ['GET', '/v1/tags'],
  ['POST', '/v1/tags', { params: { name: 'hooked' } }],
  ['POST', '/v1/demo-jobs', demo()],
  ['PUT', '/v1/accounts/login', { logInByAccount: { accountName: 'admin', password: 'wrong' } }],
  ['DELETE', `/v1/tags/${missing}`],
] satisfies Sent[])
  test(`X-Web-Hook is rejected directly: ${send[0]} ${send[1].slice(0, 20)}`, async () => {
    const uuid = newUuid()
    const headers = { 'x-job-uuid': uuid, 'x-web-hook': 'http://127.0.0.1:1/' }
    const answer = await call(operator, send, headers)
    assertFailure(answer, { status: 400, code: 'SYS.1014', details: 'X-Web-Hook' })
    assertFailure(await server.admin.get(`/v1/api-jobs/${uuid}`), { status: 404, code: 'SYS.1003' })
    assert.deepEqual((await server.admin.get('/v1/tags?q=name=hooked')).body.inventories, [])
  })

test('an invalid job uuid is rejected directly', async () => {
  const answer = await operator.post('/v1/tags', { params: { name: 'x' } }, { 'x-job-uuid': 'nonsense' })
  assertFailure(answer, { status: 400, code: 'SYS.1007', details: 'X-Job-UUID' })
})

test('with X-Job-UUID a call waits for 5 s', async () => {
  const { uuid, answer, heldMs } = await heldForLong
  assert.equal(jobOf(answer).uuid, uuid)
  assert.ok(heldMs >= 4990 && heldMs < 7000, `held ${heldMs} ms`)
})

// the last: waiting calls would fail too
test('without the database the state of a job is reported as unknown, and every other call as retryable', async (t) => {
  const { withToken, uuid, path } = jobOf(await operator.post('/v1/demo-jobs', demo(), { prefer: 'respond-async' }))
  await ended(withToken)
  t.mock.method(server.app.foundation.jobs, 'get', async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  })
  const poll = await nobody.get(withToken)
  assert.deepEqual([poll.status, poll.body.uuid, poll.body.state, poll.body.success], [202, uuid, null, true])
  assert.ok(Number(poll.headers.get('retry-after')) > 0)
  const log = await operator.get(`${path}/log`)
  assertFailure(log, { status: 503, code: 'SYS.1010', details: 'the database is unavailable' })
  assert.ok(Number(log.headers.get('retry-after')) > 0)
})
