import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answer,
  assertFailure,
  Client,
  reverseCleanup,
  ServerProcess,
  serverEnvironment,
  signMessage,
  totpCode,
} from '@wharf/testkit'

test('after kill -9 a started sign-in continues, and neither a code nor a nonce is accepted again', async (t) => {
  const cleanup = reverseCleanup(t)
  const server = new ServerProcess({ ...(await serverEnvironment(cleanup)), WHARF_REQUIRE_SECOND_FACTOR: 'admins' })
  cleanup.after(() => server.kill())
  await server.start()
  const killAndStart = async (): Promise<void> => {
    await server.kill()
    await server.start()
  }
  const { password, accessKeyId, accessKeySecret } = server.bootstrap
  const logIn = (secondFactor?: string): Promise<Answer> =>
    server.anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'admin', password, secondFactor } })

  // between the password and the second factor
  const challenge = await logIn()
  assert.equal(challenge.status, 401, challenge.text)
  const { opaque } = challenge.body.error as unknown as { opaque: { secondFactor: { enrolment: { secret: string } } } }
  const { secret } = opaque.secondFactor.enrolment
  await killAndStart()
  const now = Date.now()
  const signedIn = await logIn(totpCode(secret, now))
  assert.equal(signedIn.status, 200, signedIn.text)

  const body = JSON.stringify({ params: { name: 'once' } })
  const message = { method: 'POST', path: '/wharf/v1/tags', query: '?', body }
  const headers = {
    'content-type': 'application/json',
    ...signMessage({ id: accessKeyId, key: accessKeySecret }, message, now),
  }
  assert.equal((await server.anonymous.post('/v1/tags', body, headers)).status, 200)
  await killAndStart()

  assertFailure(await server.anonymous.post('/v1/tags', body, headers), {
    status: 401,
    code: 'ID.1000',
    details: 'was used for another call',
  })
  assertFailure(await logIn(totpCode(secret, now)), { status: 401, code: 'ID.1000', details: 'was used before' })
  const session = new Client(server.bootstrap.url, {
    kind: 'session',
    uuid: (signedIn.body.inventory as { uuid: string }).uuid,
  })
  assert.equal((await session.get('/v1/tags')).status, 200)
  assert.equal((await logIn(totpCode(secret, now + 30_000))).status, 200)
})
