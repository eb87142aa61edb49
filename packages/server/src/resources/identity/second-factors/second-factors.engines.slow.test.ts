import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answer, assertFailure, Client, MovingClock, TestServer, totpCode } from '@wharf/testkit'

const stepMs = 30_000

interface Challenge {
  readonly factors: string[]
  readonly enrolment: { readonly secret: string; readonly uri: string } | null
}
const challengeOf = (answer: Answer): Challenge => {
  const { code, opaque } = (answer.body.error ?? {}) as unknown as { code: string; opaque: { secondFactor: Challenge } }
  assert.deepEqual([answer.status, code], [401, 'ID.1007'], answer.text)
  return opaque.secondFactor
}

async function start(t: TestContext, environment: Record<string, string> = {}) {
  const clock = new MovingClock()
  const server = await TestServer.start(t, {
    clock,
    environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32', ...environment },
  })
  const password = 'password of alice'
  const created = await server.admin.post('/v1/accounts', { params: { name: 'alice', password, role: 'operator' } })
  const { uuid } = created.body.inventory as { uuid: string }
  const logIn = (secondFactor?: string, { source = '192.0.2.1', to = server } = {}): Promise<Answer> =>
    to.anonymous.put(
      '/v1/accounts/login',
      { logInByAccount: { accountName: 'alice', password, ...(secondFactor === undefined ? {} : { secondFactor }) } },
      { 'x-forwarded-for': source },
    )
  const clientOf = (answer: Answer): Client => {
    assert.equal(answer.status, 200, answer.text)
    return new Client(server.url, { kind: 'session', uuid: (answer.body.inventory as { uuid: string }).uuid })
  }
  /** The code of the step so many steps from now. */
  const code = (secret: string, offset = 0): string => totpCode(secret, clock.now() + offset * stepMs)
  return { clock, server, uuid, password, logIn, clientOf, code }
}

const act = (client: Client, structure: string, fields: object): Promise<Answer> =>
  client.put('/v1/caller-identity/actions', { [structure]: fields })
const factorsOf = async (client: Client) =>
  (await client.get('/v1/caller-identity/second-factors')).body.inventory as Record<string, unknown>

/** Alice with an authenticator app and recovery codes. */
async function enrolled(t: TestContext) {
  const fixture = await start(t)
  const { clock, password, logIn, clientOf, code } = fixture
  const alice = clientOf(await logIn())
  const { secret } = (await act(alice, 'enrolAuthenticator', { password })).body as { secret: string }
  const confirmed = await act(alice, 'confirmAuthenticator', { code: code(secret) })
  assert.equal(confirmed.status, 200, confirmed.text)
  clock.advance(stepMs)
  return { ...fixture, alice, secret, codes: confirmed.body.recoveryCodes as string[] }
}

test('an authenticator app takes effect with its first code, which proves each sign-in from then on', async (t) => {
  const { server, uuid, password, logIn, clientOf, code, clock } = await start(t)
  const alice = clientOf(await logIn('ignored'))
  assertFailure(await act(alice, 'enrolAuthenticator', { password: 'not the password' }), {
    status: 403,
    code: 'ID.1002',
    details: 'enrolAuthenticator.password is not the current password',
  })
  assertFailure(await act(alice, 'confirmAuthenticator', { code: '123456' }), { status: 409, code: 'SYS.1006' })
  const { secret, uri } = (await act(alice, 'enrolAuthenticator', { password })).body as Record<string, string>
  assert.equal(uri, `otpauth://totp/Wharf:alice?secret=${secret}&issuer=Wharf`)
  assertFailure(await act(alice, 'confirmAuthenticator', { code: code(secret ?? '', 5) }), {
    status: 400,
    code: 'SYS.1007',
    details: 'confirmAuthenticator.code is not the current code of the secret',
  })
  // nothing is in effect yet
  clientOf(await logIn())
  const confirmed = await act(alice, 'confirmAuthenticator', { code: code(secret ?? '') })
  const codes = confirmed.body.recoveryCodes as string[]
  assert.equal(new Set(codes).size, 10)
  for (const one of codes) assert.match(one, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  assertFailure(await act(alice, 'enrolAuthenticator', { password }), { status: 409, code: 'SYS.1006' })

  const { factors, enrolment } = challengeOf(await logIn())
  assert.deepEqual([factors, enrolment], [['authenticator', 'recoveryCode'], null])
  assertFailure(await logIn(code(secret ?? '')), { status: 401, code: 'ID.1000', details: 'was used before' })
  clock.advance(stepMs)
  clientOf(await logIn(` ${code(secret ?? '').replace(/^.../, '$& ')} `))

  // what exists keeps working: sessions, and keys without any factor
  const own = await factorsOf(alice)
  assert.deepEqual([own.isRequired, own.recoveryCodes, own.passkeys], [false, 10, []])
  const key = (await server.admin.post('/v1/accesskeys', { params: { accountUuid: uuid, userUuid: uuid } })).body
  const { AccessKeyID: id, AccessKeySecret } = key.inventory as Record<string, string>
  const byKey = new Client(server.url, { kind: 'key', id: id ?? '', secret: AccessKeySecret ?? '' })
  assert.equal((await byKey.get('/v1/tags')).status, 200)
  const [user] = (await server.admin.get('/v1/users?q=hasSecondFactor=true')).body.inventories as { name: string }[]
  assert.equal(user?.name, 'alice')
})

test('each code is accepted once: at the same moment and after a restart', async (t) => {
  const { server, clock, logIn, code, secret } = await enrolled(t)
  const together = await Promise.all(Array.from({ length: 4 }, () => logIn(code(secret))))
  assert.deepEqual(together.map(({ status }) => status).sort(), [200, 401, 401, 401])
  // nor an earlier one
  assert.equal((await logIn(code(secret, -1))).status, 401)
  assert.equal((await logIn(code(secret, 1))).status, 200)
  await server.app.close()
  const restarted = await TestServer.open(server.environment, { clock })
  t.after(() => restarted.app.close())
  const to = restarted as typeof server
  assert.equal((await logIn(code(secret, 1), { to })).status, 401)
  clock.advance(2 * stepMs)
  assert.equal((await logIn(code(secret), { to })).status, 200)
})

test('a recovery code replaces the factor once; new ones replace the old ones', async (t) => {
  const { alice, password, logIn, clientOf, codes } = await enrolled(t)
  const [first = '', second = '', third = ''] = codes
  clientOf(await logIn(first))
  assertFailure(await logIn(first), { status: 401, code: 'ID.1000' })
  clientOf(await logIn(` ${second.toUpperCase().replaceAll('-', ' ')} `))
  assert.equal((await factorsOf(alice)).recoveryCodes, 8)
  assertFailure(await act(alice, 'createRecoveryCodes', { password: 'not the password' }), {
    status: 403,
    code: 'ID.1002',
  })
  const created = await act(alice, 'createRecoveryCodes', { password })
  assertFailure(await logIn(third), { status: 401, code: 'ID.1000' })
  clientOf(await logIn((created.body.recoveryCodes as string[])[0]))
})

test('removing the factor needs it; then the password alone is enough', async (t) => {
  const { alice, logIn, clientOf, code, secret, codes } = await enrolled(t)
  const wrong = await act(alice, 'removeAuthenticator', { secondFactor: '000000' })
  assertFailure(wrong, { status: 403, code: 'ID.1002', details: 'removeAuthenticator.secondFactor is wrong' })
  assert.equal((await act(alice, 'removeAuthenticator', { secondFactor: code(secret) })).status, 200)
  clientOf(await logIn())
  assert.equal((await factorsOf(alice)).recoveryCodes, 0)
  assertFailure(await act(alice, 'removeAuthenticator', { secondFactor: codes[0] }), { status: 409, code: 'SYS.1006' })
})

test('an admin removes the factors of another user, and not their own', async (t) => {
  const { server, uuid, logIn, clientOf } = await enrolled(t)
  const remove = (of: string): Promise<Answer> =>
    server.admin.put(`/v1/users/${of}/actions`, { removeSecondFactors: {} })
  assertFailure(await remove(server.bootstrap.accountUuid), { status: 409, code: 'SYS.1006' })
  assertFailure(await remove('f'.repeat(32)), { status: 404, code: 'SYS.1003' })
  const removed = await remove(uuid)
  assert.equal((removed.body.inventory as { hasSecondFactor: boolean }).hasSecondFactor, false)
  clientOf(await logIn())
})

test('wrong codes block as wrong passwords do, and the user for every address', async (t) => {
  const { clock, logIn, clientOf, code, secret } = await enrolled(t)
  for (let tries = 0; tries < 10; tries++)
    assertFailure(await logIn('000000', { source: `192.0.2.${tries}` }), { status: 401, code: 'ID.1000' })
  const blocked = { status: 429, code: 'ID.1003' }
  assertFailure(await logIn(code(secret), { source: '192.0.2.77' }), blocked)
  clock.advance(61_000)
  clientOf(await logIn(code(secret)))
  clock.advance(stepMs)
  for (let tries = 0; tries < 10; tries++) await logIn('aaaa-aaaa-aaaa-aaaa')
  assertFailure(await logIn(code(secret)), blocked)
})

test('a server that requires a factor permits only enrolment to a user without one', async (t) => {
  const { server, logIn, clientOf, code, clock } = await start(t, { WHARF_REQUIRE_SECOND_FACTOR: 'all' })
  const { factors, enrolment } = challengeOf(await logIn())
  assert.deepEqual(factors, [])
  assertFailure(await logIn('000000'), { status: 401, code: 'ID.1000' })
  const secret = enrolment?.secret ?? ''
  const alice = clientOf(await logIn(code(secret)))
  assert.equal((await factorsOf(alice)).isRequired, true)
  assert.deepEqual(challengeOf(await logIn()).factors, ['authenticator'])
  clock.advance(stepMs)
  clientOf(await logIn(code(secret)))
  // programs with keys are not concerned
  assert.equal((await server.admin.get('/v1/tags')).status, 200)
})

test('admins alone can be required to have a factor', async (t) => {
  const { server, logIn, clientOf } = await start(t, { WHARF_REQUIRE_SECOND_FACTOR: 'admins' })
  clientOf(await logIn())
  const { password } = server.bootstrap
  const admin = { logInByUser: { accountName: 'admin', userName: 'admin', password } }
  const answer = await server.anonymous.put('/v1/accounts/users/login', admin)
  assert.deepEqual(challengeOf(answer).factors, [])
  assert.match(answer.text, /logInByUser\.secondFactor/)
})
