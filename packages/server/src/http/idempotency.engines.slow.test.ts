import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import {
  type Answer,
  assertFailure,
  MovingClock,
  rawCall,
  startTrial,
  TestServer,
  trialOperations,
} from '@wharf/testkit'
import { handle } from '../calls/bind.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-idempotency-'))
after(() => rmSync(folder, { recursive: true }))
const server = await TestServer.start({ after }, { extend: trialOperations })
const operator = await server.signIn('operator')
const other = await server.signIn('operator')

const newKey = (): string => randomBytes(16).toString('hex')
const named = (header: string, key: string) => ({ [header]: key })
const tag = (name: string) => ({ params: { name } })
const tagsNamed = async (name: string): Promise<number> =>
  (await server.admin.get(`/v1/tags?count=true&q=name=${name}`)).body.total as number
const uuidOf = (answer: Answer): string => (answer.body.inventory as { uuid: string }).uuid

for (const header of ['idempotency-key', 'x-job-uuid'])
  test(`a repeated call with the same ${header} has the same response, and one effect`, async () => {
    const key = named(header, newKey())
    const name = `twice-${header}`
    const first = await operator.post('/v1/tags', tag(name), key)
    assert.equal(first.status, 200, first.text)
    const again = await operator.post('/v1/tags', tag(name), key)
    assert.deepEqual([again.status, again.text], [first.status, first.text])
    assert.equal(await tagsNamed(name), 1)

    const removeKey = named(header, newKey())
    const removed = await operator.delete(`/v1/tags/${uuidOf(first)}`, undefined, removeKey)
    assert.equal(removed.status, 200)
    const removedAgain = await operator.delete(`/v1/tags/${uuidOf(first)}`, undefined, removeKey)
    assert.deepEqual([removedAgain.status, removedAgain.text], [200, removed.text])
    assertFailure(await operator.delete(`/v1/tags/${uuidOf(first)}`), { status: 404, code: 'SYS.1003' })

    const late = await operator.post('/v1/tags', tag(name), key)
    assert.equal(late.text, first.text, 'also when what it made is gone')
    assert.equal(await tagsNamed(name), 0)
  })

test('a repeated call that is rejected because of the first has the response of the first', async (t) => {
  const secondIsIn = Promise.withResolvers<void>()
  const firstIsOver = Promise.withResolvers<void>()
  let calls = 0
  const extend = () => [
    handle(startTrial, async ({ commit }) => {
      if (calls++ > 0) {
        secondIsIn.resolve()
        await firstIsOver.promise
        throw new ApiError('SYS.1005', 'it has been done')
      }
      await secondIsIn.promise
      return commit(async () => ({ steps: 'done' }))
    }),
  ]
  const { admin } = await TestServer.start(t, { extend })
  const call = () => admin.post('/v1/demo-jobs', { params: { script: '{}' } }, key)
  const key = named('idempotency-key', newKey())
  const first = call().finally(() => firstIsOver.resolve())
  for (let tries = 0; tries < 500 && calls === 0; tries++) await delay(10)
  const [{ status, text }, again] = await Promise.all([first, call()])
  assert.deepEqual([status, again.status, again.text], [200, 200, text])
})

test('a call that writes nothing is found by its key too', async () => {
  const plugin = uuidOf(await server.admin.post('/v1/cluster-plugin', { params: { name: 'etcd' } }))
  const attached = await server.admin.post(`/v1/cluster-plugin/${plugin}/alert-platform`)
  const { uuid: platform } = attached.body.thirdPartyPlatform as { uuid: string }
  const calls: [path: string, action: object][] = [
    [`/v1/hosts/${server.bootstrap.hostUuid}/actions`, { reconnectHost: {} }],
    [`/v1/zwatch/third-party/platforms/${platform}/actions`, { previewTemplate: { template: 'x' } }],
  ]
  for (const [path, action] of calls) {
    const key = named('idempotency-key', newKey())
    const first = await server.admin.put(path, action, key)
    assert.equal(first.status, 200, first.text)
    assert.equal((await server.admin.put(path, action, key)).text, first.text)
    const another = await server.admin.put(path, { ...action, userTags: ['another body'] }, key)
    assertFailure(another, { status: 409, code: 'JOB.1002' })
  }
})

test('with the prefix and without it is the same call', async () => {
  const headers = { ...named('idempotency-key', newKey()), 'content-type': 'application/json' }
  const call = { method: 'POST', path: '/v1/tags', body: JSON.stringify(tag('prefixes')) }
  const { origin } = new URL(server.url)
  const answers = []
  for (const prefix of ['', '/wharf'])
    answers.push(
      await rawCall(origin, {
        ...call,
        path: prefix + call.path,
        headers: { ...server.admin.authorization('POST', call.path), ...headers },
      }),
    )
  assert.equal(answers[0]?.status, 200)
  assert.equal(answers[1]?.text, answers[0]?.text)
})

test('a secret is shown to the first call only', async () => {
  const key = named('idempotency-key', newKey())
  const { accountUuid } = operator
  const body = { params: { accountUuid, userUuid: accountUuid, description: 'once' } }
  const first = await operator.post('/v1/accesskeys', body, key)
  const again = await operator.post('/v1/accesskeys', body, key)
  const made = first.body.inventory as Record<string, unknown>
  assert.match(String(made.AccessKeySecret), /^\w{40}$/)
  assert.deepEqual(again.body, { ...first.body, inventory: { ...made, AccessKeySecret: null } })
  const { body: found } = await operator.get('/v1/accesskeys?q=description=once&count=true')
  assert.equal(found.total, 1)
})

const changed: { name: string; change: (key: Record<string, string>) => Promise<Answer> }[] = [
  { name: 'another body', change: (key) => operator.post('/v1/tags', tag('other-body'), key) },
  { name: 'no body', change: (key) => operator.post('/v1/tags', undefined, key) },
  { name: 'another query', change: (key) => operator.post('/v1/tags?sessionId=1', tag('first-body'), key) },
  { name: 'another path', change: (key) => operator.delete(`/v1/tags/${newKey()}`, undefined, key) },
  {
    name: 'another operation',
    change: (key) => operator.post('/v1/demo-jobs', { params: { script: '{}' } }, key),
  },
]

test('a key that was used for another call is 409, and nothing happens', async () => {
  const key = named('idempotency-key', newKey())
  const first = await operator.post('/v1/tags', tag('first-body'), key)
  assert.equal(first.status, 200)
  for (const { name, change } of changed) {
    const answer = await change(key)
    // an unreadable body is reported first
    if (name === 'no body') assertFailure(answer, { status: 400, code: 'SYS.1007' })
    else assertFailure(answer, { status: 409, code: 'JOB.1002', details: 'another request' })
  }
  assert.equal(await tagsNamed('other-body'), 0)
  assert.equal((await operator.post('/v1/tags', tag('first-body'), key)).text, first.text)
})

for (const header of ['idempotency-key', 'x-job-uuid'])
  test(`the ${header} of another user of the same account is 409 and does not return the response`, async () => {
    const { accountUuid } = operator
    const params = { accountUuid, name: header, password: 'a long password', role: 'operator' }
    assert.equal((await server.admin.post('/v1/users', { params })).status, 200)
    const login = { logInByUser: { accountUuid, userName: header, password: 'a long password' } }
    const session = uuidOf(await server.anonymous.put('/v1/accounts/users/login', login))
    const colleague = { authorization: `OAuth ${session}` }
    const key = named(header, newKey())
    const [path, body] = ['/v1/tags', tag(`of-${header}`)] as const
    const first = await operator.post(path, body, key)
    assert.equal(first.status, 200)
    const refused = await server.anonymous.post(path, body, { ...key, ...colleague })
    assertFailure(refused, { status: 409, code: 'JOB.1002', details: 'this idempotency key is not available' })
    // as version 1.0 has written it, without the user
    const { database } = server.app.foundation
    await database.transaction((tx) => tx.updateTable('idempotencyKeys').set({ userUuid: null }).execute())
    for (const headers of [
      { ...key, ...colleague },
      { ...key, ...operator.authorization('POST', path) },
    ])
      assertFailure(await server.anonymous.post(path, body, headers), { status: 409, code: 'JOB.1002' })
    assert.equal(await tagsNamed(`of-${header}`), 1)
  })

test('a key that version 1.0 has stored is still valid for the only user of its account', async () => {
  const key = named('idempotency-key', newKey())
  const first = await other.post('/v1/tags', tag('of-1.0'), key)
  const { database } = server.app.foundation
  await database.transaction((tx) => tx.updateTable('idempotencyKeys').set({ userUuid: null }).execute())
  assert.equal((await other.post('/v1/tags', tag('of-1.0'), key)).text, first.text)
})

test('the key of another account is 409 without details', async () => {
  const key = newKey()
  await operator.post('/v1/tags', tag('of-the-operator'), named('idempotency-key', key))
  for (const body of [tag('of-the-operator'), tag('of-the-other')]) {
    const answer = await other.post('/v1/tags', body, named('idempotency-key', key))
    assertFailure(answer, { status: 409, code: 'JOB.1002', details: /^this idempotency key is not available \(/ })
  }
  assert.equal(await tagsNamed('of-the-other'), 0)
})

test('both headers with different keys are 400, and nothing happens', async () => {
  const headers = { 'idempotency-key': newKey(), 'x-job-uuid': newKey() }
  const answer = await operator.post('/v1/tags', tag('two-keys'), headers)
  assertFailure(answer, { status: 400, code: 'SYS.1007', details: 'X-Job-UUID and Idempotency-Key differ' })
  assertFailure(await operator.get(`/v1/api-jobs/${headers['x-job-uuid']}`), { status: 404, code: 'SYS.1003' })
  assert.equal(await tagsNamed('two-keys'), 0)
})

test('a failed call stores no result: after a correction it succeeds with its key', async () => {
  const taken = await server.admin.post('/v1/tags', tag('free-soon'))
  const key = named('idempotency-key', newKey())
  const refused = await operator.post('/v1/tags', tag('free-soon'), key)
  assertFailure(refused, { status: 409, code: 'SYS.1002' })
  await server.admin.delete(`/v1/tags/${uuidOf(taken)}`)
  assert.equal((await operator.post('/v1/tags', tag('free-soon'), key)).status, 200)
  assert.equal(await tagsNamed('free-soon'), 1)
})

test('concurrent calls with one key have one effect, and all get its response', async () => {
  for (let round = 0; round < 5; round++) {
    const key = named('idempotency-key', newKey())
    const name = `at-once-${round}`
    const answers = await Promise.all(Array.from({ length: 8 }, () => operator.post('/v1/tags', tag(name), key)))
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal(answers[0]?.status, 200)
    assert.equal(await tagsNamed(name), 1)
  }
})

test('of concurrent calls that share only the key one takes effect', async () => {
  const key = named('idempotency-key', newKey())
  const answers = await Promise.all([0, 1, 2, 3].map((n) => operator.post('/v1/tags', tag(`rival-${n}`), key)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  const made = await Promise.all([0, 1, 2, 3].map((n) => tagsNamed(`rival-${n}`)))
  assert.deepEqual(made.toSorted(), [0, 0, 0, 1])
})

const demo = (trace: string, more: object = {}) => ({
  params: { script: JSON.stringify({ trace: join(folder, trace), ...more }) },
})
const effects = (trace: string): string[] => {
  const file = join(folder, trace)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

for (const header of ['idempotency-key', 'x-job-uuid'])
  test(`a job is started once per ${header}; a repeated call waits for the same job`, async () => {
    const key = newKey()
    const body = demo(`job-${header}`, { stepMs: 50 })
    const held = Array.from({ length: 4 }, () => operator.post('/v1/demo-jobs', body, named(header, key)))
    const answers = await Promise.all(held)
    for (const { status, text } of answers)
      assert.deepEqual([status, text], [200, '{"steps":"first second third","success":true,"error":null}'])
    assert.deepEqual(effects(`job-${header}`), ['run first', 'run second', 'run third'])
    const late = await operator.post('/v1/demo-jobs', body, { ...named(header, key), prefer: 'respond-async' })
    assert.equal(late.text, answers[0]?.text, 'it has ended, so nobody need wait')
    const another = await operator.post('/v1/demo-jobs', demo('another'), named(header, key))
    assertFailure(another, { status: 409, code: 'JOB.1002' })
    assert.deepEqual(effects('another'), [])
  })

test('a repeated call that does not wait gets the same location', async () => {
  const headers = { ...named('idempotency-key', newKey()), prefer: 'respond-async' }
  const body = demo('same-location', { stepMs: 200 })
  const first = await operator.post('/v1/demo-jobs', body, headers)
  assert.equal(first.status, 202)
  assert.equal((await operator.post('/v1/demo-jobs', body, headers)).text, first.text)
})

test('a job that failed fails again, and is not run again', async () => {
  const key = named('idempotency-key', newKey())
  const body = demo('failing', { failAt: 'run first' })
  for (let attempt = 0; attempt < 2; attempt++)
    assertFailure(await operator.post('/v1/demo-jobs', body, key), { status: 502, code: 'SYS.1016' })
  assert.deepEqual(effects('failing'), ['undo first'])
})

test('the result of a login is never repeated', async () => {
  const key = named('idempotency-key', newKey())
  const { password } = server.bootstrap
  const logIn = () =>
    server.anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'admin', password } }, key)
  assert.notEqual(uuidOf(await logIn()), uuidOf(await logIn()))
})

test('a key is kept for 24 hours', async (t) => {
  const clock = new MovingClock()
  const own = await TestServer.start(t, { clock })
  const key = named('idempotency-key', newKey())
  const first = await own.admin.post('/v1/tags', tag('daily'), key)
  clock.advance(24 * 3_600_000)
  assert.equal((await own.admin.post('/v1/tags', tag('daily'), key)).text, first.text)
  clock.advance(1)
  assertFailure(await own.admin.post('/v1/tags', tag('daily'), key), { status: 409, code: 'SYS.1002' })
})
