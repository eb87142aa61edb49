import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Client, startTrialCall, TestServer, TrialTrace, trialOperations } from '@wharf/testkit'

const source = '203.0.113.7'
const nobody = ''

test('every call is in the log with its caller, address and result, rejected or not', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32' } })
  const [reader, operator] = [await server.signIn('reader'), await server.signIn('operator')]
  const newTag = (as: Client, params: object = { name: 'x' }) =>
    as.post('/v1/tags', { params }, { 'x-forwarded-for': source })
  const guess = () =>
    server.anonymous.put(
      '/v1/accounts/login',
      { logInByAccount: { accountName: 'admin', password: 'guess' } },
      { 'x-forwarded-for': source },
    )
  // whose name is blocked after ten of them
  for (let guesses = 0; guesses < 9; guesses++) await guess()

  const rows: { call: () => Promise<Answer>; status: number; operation: string; user: string }[] = [
    { call: () => newTag(operator), status: 200, operation: 'CreateTag', user: operator.accountUuid },
    { call: () => newTag(operator, {}), status: 400, operation: 'CreateTag', user: operator.accountUuid },
    { call: () => newTag(server.anonymous), status: 401, operation: 'CreateTag', user: nobody },
    { call: () => newTag(reader), status: 403, operation: 'CreateTag', user: reader.accountUuid },
    { call: guess, status: 401, operation: 'LogInByAccount', user: nobody },
    { call: guess, status: 429, operation: 'LogInByAccount', user: nobody },
  ]
  for (const { call, status, operation, user } of rows)
    await t.test(`${operation}: ${status}`, async () => {
      const answer = await call()
      assert.equal(answer.status, status, answer.text)
      const line = await logged(server, answer.headers.get('x-request-id'))
      assert.deepEqual(
        { status: line.status, operation: line.operation, user: line.user ?? '', source: line.source },
        { status, operation, user, source },
      )
      assert.ok(Math.abs(Date.parse(String(line.time)) - Date.now()) < 60_000)
    })
})

test('a caller who disconnects leaves a line, and a finished call is logged once', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  await t.test('before there is an answer: 499', async () => {
    const leaving = new AbortController()
    const script = JSON.stringify({ trace: trace.file, holdAt: 'run second' })
    const init = { body: JSON.stringify({ params: { script } }), signal: leaving.signal }
    const headers = { 'content-type': 'application/json' }
    const held = server.admin.fetch('POST', '/v1/demo-jobs', { ...init, headers })
    await trace.waitForLine('run first')
    leaving.abort()
    await assert.rejects(held)
    const line = await logLine(server, '"hungUp":true')
    assert.deepEqual([line.operation, line.status, line.method], ['StartDemo', 499, 'POST'])
    trace.release()
    // the job continues, and its end is not a second response
    await trace.waitForLine('run second')
    const { headers: next } = await startTrialCall(server.admin, { trace: trace.file })
    assert.equal((await logged(server, next.get('x-request-id'))).hungUp, undefined)
    assert.equal(server.logText.split('"operation":"StartDemo"').length - 1, 2)
  })
  await t.test('in the middle of a stream: as it was answered', async () => {
    const leaving = new AbortController()
    const response = await server.admin.fetch('GET', '/v1/events', { signal: leaving.signal })
    leaving.abort()
    const line = await logged(server, response.headers.get('x-request-id'))
    assert.deepEqual([line.operation, line.status, line.hungUp], ['GetEvents', 200, true])
    const { text } = await server.anonymous.get('/metrics')
    assert.match(text, /operation="StartDemo",status="499"/)
    // which would be the slowest call of all
    assert.doesNotMatch(text, /operation="GetEvents"/)
  })
})

/** The line of a call is written when its answer has been sent, which may be a moment after it came. */
const logged = (server: TestServer, requestId: string | null) => logLine(server, `"requestId":"${requestId}"`)

async function logLine(server: TestServer, part: string): Promise<Record<string, unknown>> {
  const lines = () => server.logText.split('\n').filter((line) => line.includes(part) && line.includes('"request"'))
  for (let tries = 0; tries < 500 && lines().length === 0; tries++) await delay(10)
  const found = lines()
  assert.equal(found.length, 1, `lines with ${part}: ${found.length}`)
  return JSON.parse(found[0] ?? '') as Record<string, unknown>
}
