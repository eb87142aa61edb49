import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { deviceAuthorizationPath, deviceClientId, deviceGrantType, deviceTokenPath } from '@wharf/contract'
import {
  type Answer,
  assertFailure,
  Client,
  finishSignIn,
  oidcFile,
  reverseCleanup,
  ScriptedProvider,
  sessionOf,
  signedToken,
  signMessage,
  startSignIn,
  TestNodes,
  type TestServer,
  totpCode,
} from '@wharf/testkit'

/** Each step of a sign-in, and each repetition, may reach another node. */

const cleanup = reverseCleanup({ after })
const provider = await ScriptedProvider.start(cleanup)
const rules = [{ claim: 'groups', value: 'ops', role: 'operator', account: 'admin' }]
const environment = { WHARF_OIDC_FILE: oidcFile(cleanup, [{ id: 'corp', issuer: provider.issuer, rules }]) }
const { servers, admins } = await TestNodes.start(cleanup, 2, [{ environment }, { environment }])
const [first, second] = servers as [TestServer, TestServer]
const [admin] = admins as [Client, Client]

/** A revocation takes effect on every node within this. */
const promisedMs = 1000

async function signInAcross(): Promise<Answer> {
  const { url, cookie } = await startSignIn(first.anonymous, 'corp')
  return finishSignIn(second.anonymous, provider.authorize(url), cookie)
}

test('a sign-in with an identity provider starts at one node and ends at another; signing out there ends it on both', async () => {
  provider.claims = { ...provider.claims, sub: 'olga', sid: 'one' }
  const session = sessionOf(second.anonymous, await signInAcross())
  const both = servers.map(({ url }) => new Client(url, session.credential))
  for (const client of both) assert.equal((await client.get('/v1/tags')).status, 200)
  const now = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = { iss: provider.issuer, aud: provider.clientId, iat: now, jti: randomUUID(), sid: 'one', events }
  const logout_token = signedToken(claims)
  const logOut = ({ url }: TestServer) =>
    fetch(`${url}/v1/oidc/logout/corp`, { method: 'POST', body: new URLSearchParams({ logout_token }) })
  assert.equal((await logOut(first)).status, 200)
  const startedAt = performance.now()
  for (const client of both)
    while ((await client.get('/v1/tags')).status !== 401) {
      assert.ok(performance.now() - startedAt < promisedMs, 'the session ends within a second')
      await delay(10)
    }
  assert.match(await (await logOut(second)).text(), /its jti was used before/)
})

test('a device calls one node, its user confirms at another, and one of two requests gets the key', async () => {
  const post = async ({ url }: TestServer, path: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: deviceClientId, ...form })
    const response = await fetch(url + path, { method: 'POST', body })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  const { device_code = '', user_code: userCode } = (await post(first, deviceAuthorizationPath, {})).body
  const poll = (node: TestServer) => post(node, deviceTokenPath, { grant_type: deviceGrantType, device_code })
  assert.equal((await poll(first)).body.error, 'authorization_pending')
  assert.equal((await poll(second)).body.error, 'slow_down')
  const confirm = (node: TestServer) =>
    new Client(node.url, admin.credential).put('/v1/device-logins/actions', { confirmDeviceLogin: { userCode } })
  const confirmed = await Promise.all([confirm(first), confirm(second)])
  assert.deepEqual(confirmed.map(({ status }) => status).sort(), [200, 404])
  const answers = await Promise.all([poll(first), poll(second)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
})

test('an authenticator app is enrolled across nodes, and its codes and recovery codes are accepted at one of them', async () => {
  const password = 'password of alice'
  const role = 'operator'
  assert.equal((await admin.post('/v1/accounts', { params: { name: 'alice', password, role } })).status, 200)
  const logIn = ({ anonymous }: TestServer, secondFactor?: string) =>
    anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'alice', password, secondFactor } })
  const session = sessionOf(first.anonymous, await logIn(first)).credential
  const act = ({ url }: TestServer, structure: string, fields: object) =>
    new Client(url, session).put('/v1/caller-identity/actions', { [structure]: fields })
  const { secret } = (await act(first, 'enrolAuthenticator', { password })).body as { secret: string }
  const step = Date.now()
  const confirmed = await act(second, 'confirmAuthenticator', { code: totpCode(secret, step) })
  assert.equal(confirmed.status, 200, confirmed.text)
  for (const node of servers) assert.match((await logIn(node)).text, /"ID\.1007"/)
  const statuses = async (code: string) =>
    (await Promise.all(servers.map((node) => logIn(node, code)))).map(({ status }) => status).sort()
  assert.deepEqual(await statuses(totpCode(secret, step)), [401, 401])
  assert.deepEqual(await statuses(totpCode(secret, step + 30_000)), [200, 401])
  const [code = ''] = confirmed.body.recoveryCodes as string[]
  assert.deepEqual(await statuses(code), [200, 401])
})

test('a nonce that was used at one node is refused at the others', async () => {
  const { accessKeyId, accessKeySecret } = first.bootstrap
  const at = (index: number, nonce: string) => {
    const body = JSON.stringify({ params: { name: nonce } })
    const message = { method: 'POST', path: '/wharf/v1/tags', query: '?', body }
    const signature = signMessage({ id: accessKeyId, key: accessKeySecret }, message, Date.now(), nonce)
    const headers = { 'content-type': 'application/json', ...signature }
    return (servers[index] as TestServer).anonymous.post('/v1/tags', body, headers)
  }
  assert.equal((await at(0, 'nonce-of-two-nodes')).status, 200)
  for (const index of [1, 0])
    assertFailure(await at(index, 'nonce-of-two-nodes'), {
      status: 401,
      code: 'ID.1000',
      details: 'was used for another call',
    })
  const race = await Promise.all([0, 1, 0, 1].map((index) => at(index, 'nonce-of-a-race')))
  assert.deepEqual(race.map(({ status }) => status).sort(), [200, 401, 401, 401])
})
