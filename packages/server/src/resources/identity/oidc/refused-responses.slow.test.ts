import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  assertFailure,
  type Client,
  finishSignIn,
  MovingClock,
  oidcFile,
  type ProviderFault,
  reverseCleanup,
  ScriptedProvider,
  sessionOf,
  signedToken,
  startSignIn,
  TestServer,
} from '@wharf/testkit'
import { buildResources } from '../../../composition/resources.ts'
import { oidcLimits } from './limits.ts'

const cleanup = reverseCleanup({ after })
const provider = await ScriptedProvider.start(cleanup)
const rules = [{ claim: 'groups', value: 'ops', role: 'operator', account: 'admin' }]
const clock = new MovingClock()
const server = await TestServer.start(cleanup, {
  clock,
  environment: { WHARF_OIDC_FILE: oidcFile(cleanup, [{ id: 'corp', issuer: provider.issuer, rules }]) },
})
const { admin, anonymous } = server
const hourMs = 3_600_000

beforeEach(() => {
  provider.fault = undefined
})

async function signIn() {
  const { url, cookie } = await startSignIn(anonymous, 'corp')
  return finishSignIn(anonymous, provider.authorize(url), cookie)
}

const countUsers = async (): Promise<number> =>
  ((await admin.get('/v1/users?q=source=OIDC')).body.inventories as unknown[]).length

const label = 'identity provider "Sign in with corp"'
const invalid = `the response of ${label} is not valid: `
const refusals: Record<
  Exclude<ProviderFault, 'other issuer in its metadata'>,
  [status: number, code: string, details: string]
> = {
  'other issuer in the ID token': [401, 'ID.1000', `${invalid}unexpected JWT "iss" (issuer) claim value`],
  'other audience': [401, 'ID.1000', `${invalid}unexpected JWT "aud" (audience) claim value`],
  'unknown key': [401, 'ID.1000', `${invalid}JWT signature verification failed`],
  'alg none': [401, 'ID.1000', `${invalid}unexpected JWT "alg" header parameter`],
  'alg HS256 with the client secret': [401, 'ID.1000', `${invalid}unexpected JWT "alg" header parameter`],
  'wrong nonce': [401, 'ID.1000', `${invalid}unexpected ID Token "nonce" claim value`],
  'expired ID token': [401, 'ID.1000', `${invalid}unexpected JWT "exp"`],
  'no ID token': [401, 'ID.1000', invalid],
  'refused code': [401, 'ID.1000', `${label} refused the sign-in: invalid_grant (the code was used)`],
  'error 500 at the token endpoint': [502, 'SYS.1015', `${label} cannot be used: `],
}

for (const [fault, [status, code, details]] of Object.entries(refusals))
  test(`a response with ${fault} is refused and recorded, and creates nothing`, async () => {
    const before = await countUsers()
    provider.fault = fault as ProviderFault
    assertFailure(await signIn(), { status, code, details })
    assert.equal(await countUsers(), before)
    const q = ['operation=LogInByOidc', `status=${status}`].map((one) => `q=${encodeURIComponent(one)}`).join('&')
    const entries = (await admin.get(`/v1/audit-entries?${q}`)).body.inventories as Record<string, unknown>[]
    assert.ok(entries.length > 0, 'a failed sign-in has an entry')
    assert.ok(entries.every(({ outcome }) => outcome === (status === 401 ? 'Denied' : 'Failure')))
  })

test('a provider that reports another issuer is refused; its metadata is read again, but not for each attempt', async () => {
  clock.advance(hourMs)
  provider.fault = 'other issuer in its metadata'
  const path = '/.well-known/openid-configuration'
  const before = provider.calls[path] ?? 0
  for (let attempt = 0; attempt < 3; attempt++)
    assertFailure(await anonymous.put('/v1/oidc/sign-in', { startOidcSignIn: { provider: 'corp' } }), {
      status: 502,
      code: 'SYS.1015',
      details: `${label} cannot be used: it reports the issuer https://elsewhere.example.com instead of ${provider.issuer}/`,
    })
  assert.equal(provider.calls[path], before + 1)
  provider.fault = undefined
  clock.advance(4000)
  sessionOf(anonymous, await signIn())
  sessionOf(anonymous, await signIn())
  assert.equal(provider.calls[path], before + 2)
})

test('a user who aborts at the provider gets its reason', async () => {
  const { url, cookie } = await startSignIn(anonymous, 'corp')
  const state = new URL(url).searchParams.get('state') ?? ''
  const response = new URLSearchParams({ state, error: 'access_denied', error_description: 'aborted by the user' })
  assertFailure(await finishSignIn(anonymous, response.toString(), cookie), {
    status: 401,
    code: 'ID.1000',
    details: `${label} refused the sign-in: access_denied (aborted by the user)`,
  })
})

test('the browser returns to the address that it names; anything else than an address is refused', async () => {
  const start = (address: string) =>
    anonymous.put('/v1/oidc/sign-in', { startOidcSignIn: { provider: 'corp', address } })
  const { body, headers } = await start('https://example.com/tools/')
  const redirectUri = new URL(String(body.url)).searchParams.get('redirect_uri')
  assert.equal(redirectUri, 'https://example.com/tools/v1/oidc/callback/corp')
  assert.match(headers.getSetCookie().join(), /; Path=\/tools\/v1\/oidc; .*; Secure$/)
  for (const address of [
    'example.com',
    'javascript:alert(1)',
    'https://a@b/',
    'https://example.com/;x',
    'https://b/?a',
  ])
    assertFailure(await start(address), { status: 400, code: 'SYS.1007', details: 'startOidcSignIn.address must be' })
})

test('a response at the address of another provider is refused', async () => {
  const { url, cookie } = await startSignIn(anonymous, 'corp')
  assertFailure(await finishSignIn(anonymous, provider.authorize(url), cookie, 'other'), {
    status: 401,
    code: 'ID.1000',
  })
})

test('a sign-in that takes more than ten minutes is refused', async () => {
  const { url, cookie } = await startSignIn(anonymous, 'corp')
  clock.advance(600_000)
  assertFailure(await finishSignIn(anonymous, provider.authorize(url), cookie), {
    status: 401,
    code: 'ID.1000',
    details: 'is older than ten minutes',
  })
})

test('a rule with an account that does not exist is refused, and the text names it', async () => {
  provider.claims = { ...provider.claims, sub: 'nobody' }
  const { uuid } = ((await admin.get('/v1/accounts?q=name=admin')).body.inventories as { uuid: string }[])[0] ?? {}
  const database = server.app.foundation.database
  const rename = (name: string) =>
    database.transaction((tx) =>
      tx
        .updateTable('accounts')
        .set({ name })
        .where('uuid', '=', uuid ?? '')
        .execute(),
    )
  await rename('renamed')
  const answer = await signIn()
  await rename('admin')
  assertFailure(answer, { status: 403, code: 'ID.1002', details: 'names account admin, which does not exist' })
})

test('a session lasts eight hours, however it is used', async () => {
  const session = sessionOf(anonymous, await signIn())
  for (let hours = 1; hours < 8; hours++) {
    clock.advance(hourMs)
    assert.equal((await session.get('/v1/tags')).status, 200, `after ${hours} hours`)
  }
  clock.advance(hourMs)
  assert.equal((await session.get('/v1/tags')).status, 401)
})

test('one network has at most a hundred sign-ins; the oldest ends', async () => {
  const first = await startSignIn(anonymous, 'corp')
  for (let more = 0; more < 100; more++) {
    clock.advance(1)
    await startSignIn(anonymous, 'corp')
  }
  assertFailure(await finishSignIn(anonymous, provider.authorize(first.url), first.cookie), {
    status: 401,
    code: 'ID.1000',
  })
})

// back-channel logout

const logOut = (token: string) =>
  fetch(`${server.url}/v1/oidc/logout/corp`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) })

let tokens = 0
const validClaims = (sid: string): Record<string, unknown> => {
  const iat = Math.floor(clock.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  return { iss: provider.issuer, aud: 'wharf', iat, exp: iat + 120, jti: `token ${tokens++}`, events, sid }
}

test('a logout token ends the sessions of its sid or of its subject, and is accepted once', async () => {
  provider.claims = { ...provider.claims, sub: 'olga', sid: 'one' }
  const one = sessionOf(anonymous, await signIn())
  provider.claims = { ...provider.claims, sid: 'two' }
  const two = sessionOf(anonymous, await signIn())
  const three = sessionOf(anonymous, await signIn())
  const token = signedToken(validClaims('one'))
  const accepted = await logOut(token)
  assert.deepEqual([accepted.status, accepted.headers.get('cache-control')], [200, 'no-store'])
  const statuses = async () =>
    Promise.all([one, two, three].map(async (session) => (await session.get('/v1/tags')).status))
  assert.deepEqual(await statuses(), [401, 200, 200])
  assert.match(await (await logOut(token)).text(), /its jti was used before/)
  assert.equal((await logOut(signedToken({ ...validClaims(''), sid: undefined, sub: 'olga' }))).status, 200)
  assert.deepEqual(await statuses(), [401, 401, 401])
})

const wrong: Record<string, [token: (claims: Record<string, unknown>) => string, reason: RegExp]> = {
  'by an unknown key': [(claims) => signedToken(claims, { isUnknownKey: true }), /the signature is not by a key/],
  'without a signature': [(claims) => signedToken(claims, { header: { alg: 'none' } }), /alg is not one/],
  'with a symmetric algorithm': [(claims) => signedToken(claims, { header: { alg: 'HS256' } }), /alg is not one/],
  'with another key id': [(claims) => signedToken(claims, { header: { kid: 'second' } }), /the signature is not/],
  'of another type': [(claims) => signedToken(claims, { header: { typ: 'at+jwt' } }), /typ is not that of/],
  'with critical extensions': [(claims) => signedToken(claims, { header: { crit: ['b64'] } }), /crit names/],
  'of another issuer': [(claims) => signedToken({ ...claims, iss: 'https://elsewhere.example.com' }), /iss is not/],
  'for another client': [(claims) => signedToken({ ...claims, aud: ['other'] }), /aud does not contain/],
  'without iat': [(claims) => signedToken({ ...claims, iat: undefined }), /iat is missing/],
  'from the future': [(claims) => signedToken({ ...claims, iat: Number(claims.iat) + 3600 }), /iat is missing or/],
  'from an hour ago': [(claims) => signedToken({ ...claims, iat: Number(claims.iat) - 3600 }), /iat is more than/],
  'that has expired': [(claims) => signedToken({ ...claims, exp: Number(claims.iat) - 3600 }), /exp is in the past/],
  'without jti': [(claims) => signedToken({ ...claims, jti: undefined }), /jti is missing/],
  'without the event': [(claims) => signedToken({ ...claims, events: {} }), /events does not contain/],
  'whose event is not an object': [
    (claims) => signedToken({ ...claims, events: { 'http://schemas.openid.net/event/backchannel-logout': true } }),
    /events does not contain/,
  ],
  'with a nonce, as an ID token has': [(claims) => signedToken({ ...claims, nonce: 'n' }), /nonce must not be/],
  'without sub and sid': [(claims) => signedToken({ ...claims, sid: undefined }), /sub and sid are both missing/],
  'that is not a JWT': [() => 'abc', /is not a signed JWT/],
}
for (const [name, [token, reason]] of Object.entries(wrong))
  test(`a logout token ${name} is refused`, async () => {
    provider.claims = { ...provider.claims, sub: 'pia', sid: 'kept' }
    const session = sessionOf(anonymous, await signIn())
    const answer = await logOut(token(validClaims('kept')))
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), reason)
    assert.equal((await session.get('/v1/tags')).status, 200)
  })

test('a logout without a token, as JSON or for an unknown provider is refused', async () => {
  const url = `${server.url}/v1/oidc/logout/corp`
  assert.equal((await fetch(url, { method: 'POST', body: new URLSearchParams() })).status, 400)
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  assert.equal((await fetch(url, json)).status, 415)
  const form = { method: 'POST', body: new URLSearchParams({ logout_token: 'x' }) }
  assert.equal((await fetch(`${server.url}/v1/oidc/logout/none`, form)).status, 404)
})

test('all sessions that are due are refreshed at once, and within fifteen minutes', async () => {
  const { database } = server.app.foundation
  provider.claims = { ...provider.claims, sub: 'quinn', sid: 'many' }
  const sessions: Client[] = []
  for (let count = 0; count < 25; count++) sessions.push(sessionOf(anonymous, await signIn()))
  // of a provider that is not configured any more, so that no request is needed
  const due = { provider: 'former', nextRefreshDate: clock.now() }
  await database.transaction((tx) => tx.updateTable('oidcSessions').set(due).where('subject', '=', 'quinn').execute())
  await buildResources(server.app.foundation).oidc.refreshes.refreshDue()
  const statuses = await Promise.all(sessions.map(async (session) => (await session.get('/v1/tags')).status))
  assert.deepEqual(new Set(statuses), new Set([401]))
  assert.ok(oidcLimits.refreshMs + 2 * oidcLimits.checkMs <= hourMs / 4)
})
