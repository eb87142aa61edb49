import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { Client, MovingClock, TestServer } from '@wharf/testkit'

/** A user with 500 sessions, `session 0` unused for longest; signing in so often would take a while. */
async function fullAccount(t: TestContext) {
  const clock = new MovingClock()
  const server = await TestServer.start(t, { clock })
  const { accountUuid, userUuid, password } = server.bootstrap
  const now = clock.now()
  const rows = Array.from({ length: 500 }, (_, n) => ({
    hash: sha256(`session ${n}`.replace(' ', '-')),
    accountUuid,
    userUuid,
    createDate: now - 60_000,
    lastUseDate: now - 60_000 + n,
    expiredDate: now + 3_600_000,
    kind: 'Password' as const,
  }))
  await server.app.foundation.database.transaction((tx) => tx.insertInto('sessions').values(rows).execute())
  const use = (n: number) => new Client(server.url, { kind: 'session', uuid: `session-${n}` }).get('/v1/tags')
  const valid = async (n: number) =>
    (await server.anonymous.get(`/v1/accounts/sessions/session-${n}/valid`)).body.valid as boolean
  const count = async () =>
    (await server.app.foundation.database.read.selectFrom('sessions').select('hash').execute()).length
  return { clock, server, logIn: () => server.logIn('admin', password), use, valid, count }
}

test('a user has at most 500 sessions: the least recently used one is ended', async (t) => {
  const { logIn, valid, count } = await fullAccount(t)
  const newest = await logIn()
  assert.equal(await count(), 500)
  assert.deepEqual([await valid(0), await valid(1), await valid(499)], [false, true, true])
  assert.equal((await newest.get('/v1/tags')).status, 200)
})

test('a session that was just used is not ended', async (t) => {
  const { logIn, use, valid } = await fullAccount(t)
  assert.equal((await use(0)).status, 200)
  await logIn()
  assert.deepEqual([await valid(0), await valid(1), await valid(2)], [true, false, true])
})

test('a session that was ended by the limit is rejected immediately, also when it was in use', async (t) => {
  const { clock, logIn, use } = await fullAccount(t)
  assert.equal((await use(0)).status, 200)
  clock.advance(1)
  for (let n = 1; n < 500; n++) await use(n)
  clock.advance(1)
  await logIn()
  assert.equal((await use(0)).status, 401)
  assert.equal((await use(1)).status, 200)
})

test('a user ends nobody else’s sessions, neither in other accounts nor in its own', async (t) => {
  const { server, logIn, valid, count } = await fullAccount(t)
  await server.signIn('reader')
  assert.equal(await count(), 501)
  const carol = { accountUuid: server.bootstrap.accountUuid, name: 'carol', password: 'password of carol' }
  await server.admin.post('/v1/users', { params: carol })
  const logInByUser = { accountName: 'admin', userName: 'carol', password: 'password of carol' }
  const opened = await server.anonymous.put('/v1/accounts/users/login', { logInByUser })
  assert.equal(opened.status, 200)
  assert.equal(await count(), 502)
  assert.equal(await valid(0), true)
  await logIn()
  assert.deepEqual([await count(), await valid(0), await valid(1)], [502, false, true])
})
