import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assertFailure,
  type Client,
  finishSignIn,
  freePort,
  IdentityProvider,
  oidcFile,
  reverseCleanup,
  sessionOf,
  startSignIn,
  TestServer,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const refreshMs = 600

const port = await freePort('127.0.0.1')
const provider = await IdentityProvider.start(cleanup, {
  id: 'corp',
  wharfUrls: [`http://127.0.0.1:${port}/wharf`],
  users: { alice: ['admins'], bob: ['ops'], carol: ['ops'], dave: ['ops'], eve: ['guests'], frank: ['ops'] },
})
const rules = [
  { claim: 'groups', value: 'admins', role: 'admin', account: 'admin' },
  { claim: 'groups', value: 'ops', role: 'operator', account: 'staff' },
  { claim: 'groups', value: 'senior', role: 'admin', account: 'staff' },
  { claim: 'groups', value: 'leads', role: 'operator', account: 'leads' },
]
const server = await TestServer.start(cleanup, {
  environment: {
    WHARF_PORT: String(port),
    WHARF_OIDC_FILE: oidcFile(cleanup, [
      { id: 'corp', issuer: provider.issuer, rules },
      { id: 'down', issuer: `http://127.0.0.1:${await freePort('127.0.0.1')}`, rules },
    ]),
  },
  oidcLimits: { refreshMs, checkMs: 50, retryMs: 200 },
})
const { admin, anonymous } = server

before(async () => {
  for (const name of ['staff', 'leads'])
    await admin.post('/v1/accounts', { params: { name, password: `password of ${name}`, role: 'reader' } })
})

/** With a browser: from the button to the session. */
async function signIn(user: string) {
  const { url, cookie } = await startSignIn(anonymous, 'corp')
  const returned = await provider.signIn(url, user)
  const redirect = await fetch(returned, { redirect: 'manual' })
  const location = new URL(redirect.headers.get('location') ?? '', returned)
  assert.equal(redirect.status, 302)
  assert.equal(location.pathname, '/wharf/')
  const response = location.hash.replace('#/sign-in/corp?', '')
  return { response, cookie, answer: await finishSignIn(anonymous, response, cookie) }
}

const identityOf = async (client: Client) =>
  (await client.get('/v1/caller-identity')).body.inventory as Record<string, string>

const userNamed = async (name: string) =>
  ((await admin.get(`/v1/users?q=name=${name}`)).body.inventories as Record<string, string>[])[0]

async function until(isDone: () => Promise<boolean>, what: string, ms = 8000): Promise<void> {
  const end = performance.now() + ms
  while (!(await isDone())) {
    assert.ok(performance.now() < end, what)
    await delay(50)
  }
}

const isRefused = async (client: Client): Promise<boolean> => (await client.get('/v1/tags')).status === 401

async function entriesOf(...conditions: string[]): Promise<Record<string, unknown>[]> {
  const q = conditions.map((condition) => `q=${encodeURIComponent(condition)}`).join('&')
  return (await admin.get(`/v1/audit-entries?${q}`)).body.inventories as Record<string, unknown>[]
}

test('the sign-in page learns the ids and labels of the providers, and nothing else', async () => {
  const { status, body } = await anonymous.get('/v1/oidc/providers')
  assert.equal(status, 200)
  assert.deepEqual(body.inventories, [
    { id: 'corp', label: 'Sign in with corp' },
    { id: 'down', label: 'Sign in with down' },
  ])
})

test('a sign-in creates the user with the role and account of the rule, without a password', async () => {
  const { answer } = await signIn('alice')
  const session = sessionOf(anonymous, answer)
  const { userName, role, accountName } = await identityOf(session)
  assert.deepEqual({ userName, role, accountName }, { userName: 'alice', role: 'admin', accountName: 'admin' })
  assert.equal((await userNamed('alice'))?.source, 'OIDC')
  assert.equal((await userNamed('admin'))?.source, 'Local')
  const [entry] = await entriesOf('operation=LogInByOidc', 'actorName=alice', 'resourceType=Session')
  assert.equal(entry?.outcome, 'Success')
  const sessions = (await session.get('/v1/accounts/sessions?q=kind=OIDC')).body.inventories
  if (sessions) assert.equal((sessions as unknown[]).length, 1)
})

test('the second sign-in finds the same user', async () => {
  sessionOf(anonymous, (await signIn('bob')).answer)
  const first = await userNamed('bob')
  sessionOf(anonymous, (await signIn('bob')).answer)
  assert.deepEqual((await userNamed('bob'))?.uuid, first?.uuid)
  assert.equal(first?.role, 'operator')
})

test('a user of a provider cannot sign in with a password, and none can be set', async () => {
  const { answer } = await signIn('bob')
  for (const password of ['', 'any', 'undefined'])
    assert.notEqual(
      (
        await anonymous.put('/v1/accounts/users/login', {
          logInByUser: { accountName: 'staff', userName: 'bob', password },
        })
      ).status,
      200,
    )
  const { uuid } = (await userNamed('bob')) ?? {}
  for (const change of [{ password: 'a new password for bob' }, { role: 'admin' }])
    assertFailure(await admin.put(`/v1/users/${uuid}/actions`, { updateUser: change }), {
      status: 409,
      code: 'SYS.1006',
      details: 'user bob signs in with an identity provider',
    })
  const own = { changeOwnPassword: { oldPassword: 'any', password: 'a new password for bob' } }
  assertFailure(await sessionOf(anonymous, answer).put('/v1/caller-identity/actions', own), {
    status: 409,
    code: 'SYS.1006',
    details: 'signs in with an identity provider',
  })
})

test('a user whom no rule admits is refused, and the refusal is recorded with the name', async () => {
  const { answer } = await signIn('eve')
  assertFailure(answer, { status: 403, code: 'ID.1002', details: 'no rule grants eve access' })
  assert.equal(await userNamed('eve'), undefined)
  const [entry] = await entriesOf('operation=LogInByOidc', 'actorName=eve')
  assert.equal(entry?.outcome, 'Denied')
})

test('a local user with the same name is another user', async () => {
  const accountUuid = ((await admin.get('/v1/accounts?q=name=staff')).body.inventories as { uuid: string }[])[0]?.uuid
  await admin.post('/v1/users', { params: { accountUuid, name: 'frank', password: 'the password of frank' } })
  const { userName, userUuid } = await identityOf(sessionOf(anonymous, (await signIn('frank')).answer))
  assert.match(userName ?? '', /^frank \([0-9a-f]{8}\)$/)
  assert.notEqual(userUuid, (await userNamed('frank'))?.uuid)
})

test('a response is used once, in the browser that started the sign-in', async () => {
  const { url, cookie } = await startSignIn(anonymous, 'corp')
  const other = await startSignIn(anonymous, 'corp')
  const response = (await provider.signIn(url, 'bob')).search.slice(1)
  const refused = { status: 401, code: 'ID.1000', details: 'was not started in this browser' }
  assertFailure(await finishSignIn(anonymous, response, ''), refused)
  assertFailure(await finishSignIn(anonymous, response, other.cookie), refused)
  const forged = new URLSearchParams(response)
  forged.set('state', new URL(other.url).searchParams.get('state') ?? '')
  assertFailure(await finishSignIn(anonymous, forged.toString(), cookie), refused)
  assertFailure(await finishSignIn(anonymous, 'code=any', cookie), refused)
  // the code of one sign-in with the state of another: the provider compares the PKCE challenge
  assertFailure(await finishSignIn(anonymous, forged.toString(), other.cookie), {
    status: 401,
    code: 'ID.1000',
    details: 'refused the sign-in: invalid_grant',
  })
  sessionOf(anonymous, await finishSignIn(anonymous, response, cookie))
  assertFailure(await finishSignIn(anonymous, response, cookie), refused)
})

test('the cookie of a sign-in is sent to no page and no other site', async () => {
  const answer = await anonymous.put('/v1/oidc/sign-in', { startOidcSignIn: { provider: 'corp' } })
  assert.match(
    answer.headers.getSetCookie().join(),
    /^wharf-sign-in-[0-9a-f]{16}=[\w-]{43}; Path=\/wharf\/v1\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
  )
})

test('a provider that is down prevents neither the start of the server nor other sign-ins', async () => {
  assertFailure(await anonymous.put('/v1/oidc/sign-in', { startOidcSignIn: { provider: 'down' } }), {
    status: 502,
    code: 'SYS.1015',
    details: 'identity provider "Sign in with down" cannot be used: connection refused; try again later',
  })
  assert.equal((await entriesOf('operation=StartOidcSignIn', 'errorCode=SYS.1015')).length, 1)
  assertFailure(await anonymous.put('/v1/oidc/sign-in', { startOidcSignIn: { provider: 'none' } }), {
    status: 404,
    code: 'SYS.1003',
    details: 'there is no identity provider "none"',
  })
  sessionOf(anonymous, (await signIn('bob')).answer)
})

test('a user who leaves the group loses sessions, keys and role within the interval', async () => {
  const session = sessionOf(anonymous, (await signIn('carol')).answer)
  const { userUuid, accountUuid } = await identityOf(session)
  const created = await session.post('/v1/accesskeys', { params: { accountUuid, userUuid } })
  assert.equal(created.status, 200, created.text)
  provider.users.set('carol', ['senior'])
  await until(async () => (await userNamed('carol'))?.role === 'admin', 'the role follows the group')
  provider.users.set('carol', ['guests'])
  await until(() => isRefused(session), 'the session ends')
  assert.equal((await userNamed('carol'))?.role, 'reader')
  const [key] = (await admin.get(`/v1/accesskeys?q=userUuid=${userUuid}`)).body.inventories as { state: string }[]
  assert.equal(key?.state, 'Disabled')
  const entries = await entriesOf('operation=RefreshOidcSession', `resourceUuid=${userUuid}`)
  assert.ok(entries.every(({ actorKind }) => actorKind === 'System') && entries.length >= 2)
  assertFailure((await signIn('carol')).answer, { status: 403, code: 'ID.1002', details: 'no rule grants carol' })
})

test('a change of the account ends the sessions of the user, and the next one is in the new account', async () => {
  const session = sessionOf(anonymous, (await signIn('dave')).answer)
  provider.users.set('dave', ['leads'])
  await until(() => isRefused(session), 'the session ends')
  const { accountName } = await identityOf(sessionOf(anonymous, (await signIn('dave')).answer))
  assert.equal(accountName, 'leads')
})

test('signing out at the provider ends the session within a second, and only that one', async () => {
  const kept = sessionOf(anonymous, (await signIn('bob')).answer)
  const ended = sessionOf(anonymous, (await signIn('bob')).answer)
  await provider.signOut('bob')
  await until(() => isRefused(ended), 'the session ends', 1000)
  assert.equal(await isRefused(kept), false)
  assert.ok((await entriesOf('operation=OidcLogout')).length > 0)
})

test('no refresh token and no state is stored in clear', async () => {
  await startSignIn(anonymous, 'corp')
  const { read } = server.app.foundation.database
  const [session] = await read.selectFrom('oidcSessions').selectAll().execute()
  assert.ok(session?.sealedRefreshToken instanceof Uint8Array)
  const [signInRow] = await read.selectFrom('oidcSignIns').selectAll().execute()
  assert.match(signInRow?.stateHash ?? '', /^[0-9a-f]{64}$/)
})

test('a session continues while the provider is down, and ends when the provider refuses its token', async () => {
  const session = sessionOf(anonymous, (await signIn('bob')).answer)
  await provider.close()
  await delay(refreshMs + 400)
  assert.equal(await isRefused(session), false)
  await provider.restart()
  provider.revokeAll()
  await until(() => isRefused(session), 'the session ends')
})
