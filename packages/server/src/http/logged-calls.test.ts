import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Client, TestServer } from '@wharf/testkit'

const source = '203.0.113.7'
const nobody = ''

test('every call stands in the log with who made it, from where, and how it went, refused or not', async (t) => {
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

/** The line of a call is written when its answer has been sent, which may be a moment after it came. */
async function logged(server: TestServer, requestId: string | null): Promise<Record<string, unknown>> {
  const lines = () =>
    server.logText.split('\n').filter((line) => line.includes(`"${requestId}"`) && line.includes('"request"'))
  for (let tries = 0; tries < 500 && lines().length === 0; tries++) await delay(10)
  const found = lines()
  assert.equal(found.length, 1, `lines of ${requestId}: ${found.length}`)
  return JSON.parse(found[0] ?? '') as Record<string, unknown>
}
