import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deviceAuthorizationPath, deviceClientId, deviceGrantType, deviceTokenPath } from '@wharf/contract'
import { sha256 } from '@wharf/platform/constant-time.ts'
import {
  type Answer,
  assertFailure,
  Client,
  MovingClock,
  reverseCleanup,
  serverEnvironment,
  TestServer,
} from '@wharf/testkit'
import { buildResources } from '../../../composition/resources.ts'

/** RFC 8628, state by state, with a clock that the test moves. */

const clock = new MovingClock()
const server = await TestServer.start({ after }, { clock })
const { database } = server.app.foundation
const reader = await server.signIn('reader', 'reader')
const operator = await server.signIn('operator', 'operator')

type Json = Record<string, unknown>

async function post(
  path: string,
  form: Record<string, string> | string,
  to = server,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(to.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'a test' },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
  assert.equal(response.headers.get('cache-control'), 'no-store')
  return { status: response.status, body: (await response.json()) as Json }
}

async function authorize(more: Record<string, string> = {}, to = server) {
  const { status, body } = await post(deviceAuthorizationPath, { client_id: deviceClientId, ...more }, to)
  assert.equal(status, 200, JSON.stringify(body))
  return body as Record<'device_code' | 'user_code' | 'verification_uri' | 'verification_uri_complete', string> &
    Record<'expires_in' | 'interval', number>
}

const poll = (device_code: string, to = server) =>
  post(deviceTokenPath, { client_id: deviceClientId, grant_type: deviceGrantType, device_code }, to)
const errorOf = async (device_code: string): Promise<unknown> => (await poll(device_code)).body.error
const act = (as: Client, action: string, userCode: string, more = {}): Promise<Answer> =>
  as.put('/v1/device-logins/actions', { [action]: { userCode, ...more } })

/** Pending sign-ins count by address. */
const forget = () => database.transaction((tx) => tx.deleteFrom('deviceLogins').execute())

test('a device shows a code, a user confirms it, and the device gets a key with the chosen role, once', async () => {
  const device = await authorize({ client_name: 'laptop\u202e\n', scope: 'reader' })
  assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.deepEqual([device.expires_in, device.interval], [900, 5])
  assert.equal(device.verification_uri, `${server.url}/#/account/device`)
  assert.equal(device.verification_uri_complete, `${server.url}/#/account/device?code=${device.user_code}`)
  assert.equal(await errorOf(device.device_code), 'authorization_pending')

  const shown = await act(operator, 'findDeviceLogin', ` ${device.user_code.toLowerCase().replace('-', ' ')} `)
  assert.partialDeepStrictEqual(shown.body.inventory as Json, {
    ...{ userCode: device.user_code, clientName: 'laptop', client: 'a test', address: '127.0.0.1' },
    ...{ requestedRole: 'reader', state: 'Pending' },
  })
  assert.ok(!shown.text.includes(device.device_code))
  const confirmed = await act(operator, 'confirmDeviceLogin', device.user_code, { role: 'reader' })
  assert.equal(confirmed.status, 200, confirmed.text)

  const { status, body: key } = await poll(device.device_code)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(key, { token_type: 'urn:wharf:access-key', scope: 'reader', expires_in: 90 * 86_400 })
  const as = new Client(server.url, { kind: 'key', id: String(key.access_key_id), secret: String(key.access_token) })
  assert.match((await as.get('/v1/tags')).text, /requires signatures by RFC 9421/)
  const path = `/v1/accesskeys?q=uuid=${key.access_key_uuid}`
  const [record] = (await operator.get(path)).body.inventories as Json[]
  assert.partialDeepStrictEqual(record, {
    ...{ role: 'reader', userUuid: operator.accountUuid, schemes: ['rfc9421'], state: 'Enabled' },
    ...{ description: 'wharf login on laptop' },
  })

  // a code that is presented again was lost or stolen
  assert.equal(await errorOf(device.device_code), 'invalid_grant')
  assert.deepEqual((await operator.get(path)).body.inventories, [])
})

test('the device code is stored as a hash, and neither code is in the audit trail', async () => {
  const { device_code, user_code } = await authorize()
  const rows = await database.read.selectFrom('deviceLogins').selectAll().execute()
  assert.ok(rows.some(({ deviceCodeHash }) => deviceCodeHash === sha256(device_code)))
  assert.ok(!JSON.stringify(rows).includes(device_code))
  await act(reader, 'denyDeviceLogin', user_code)
  const { text } = await server.admin.get('/v1/audit-entries?q=resourceType=DeviceLogin&limit=100')
  assert.ok(text.includes('DenyDeviceLogin') && text.includes('RequestDeviceLogin'), text)
  assert.ok(!text.includes(device_code) && !text.includes(sha256(device_code)))
})

test('a denied sign-in ends with access_denied, and cannot be confirmed any more', async () => {
  const { device_code, user_code } = await authorize()
  assert.equal((await act(reader, 'denyDeviceLogin', user_code)).status, 200)
  assert.equal(await errorOf(device_code), 'access_denied')
  assertFailure(await act(reader, 'confirmDeviceLogin', user_code), { status: 404, code: 'SYS.1003' })
})

test('a device that polls too often is slowed down, and each time waits five seconds longer', async () => {
  const { device_code } = await authorize()
  assert.equal(await errorOf(device_code), 'authorization_pending')
  clock.advance(5000)
  assert.equal(await errorOf(device_code), 'authorization_pending')
  clock.advance(2000)
  assert.equal(await errorOf(device_code), 'slow_down')
  clock.advance(5000)
  assert.equal(await errorOf(device_code), 'slow_down')
  clock.advance(15_000)
  assert.equal(await errorOf(device_code), 'authorization_pending')
})

test('codes expire after fifteen minutes, and a key that was never fetched is deleted', async () => {
  const [pending, confirmed] = [await authorize(), await authorize()]
  assert.equal((await act(reader, 'confirmDeviceLogin', confirmed.user_code)).status, 200)
  const own = async () => ((await reader.get('/v1/accesskeys')).body.inventories as Json[]).length
  const before = await own()
  clock.advance(15 * 60_000)
  for (const { device_code } of [pending, confirmed]) assert.equal(await errorOf(device_code), 'expired_token')
  assertFailure(await act(reader, 'confirmDeviceLogin', pending.user_code), { status: 404, code: 'SYS.1003' })
  await buildResources(server.app.foundation).deviceLogins.removeOld()
  assert.equal(await own(), before - 1)
  assert.equal(await errorOf(pending.device_code), 'invalid_grant')
})

test('a deleted key is not handed over', async () => {
  const { device_code, user_code } = await authorize()
  const { inventory } = (await act(reader, 'confirmDeviceLogin', user_code)).body as { inventory: Json }
  await reader.delete(`/v1/accesskeys/${inventory.accessKeyUuid}`)
  assert.equal(await errorOf(device_code), 'access_denied')
})

test('of requests at the same time, one gets the key', async () => {
  const { device_code, user_code } = await authorize()
  await act(reader, 'confirmDeviceLogin', user_code)
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await poll(device_code)).status))
  assert.deepEqual(statuses.toSorted(), [200, 400, 400, 400, 400])
})

test('of confirmations at the same time, one creates a key', async () => {
  const { user_code } = await authorize()
  const answers = await Promise.all([reader, operator, reader].map((who) => act(who, 'confirmDeviceLogin', user_code)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
})

const form = { client_id: deviceClientId, grant_type: deviceGrantType, device_code: 'x' }
const malformed: { name: string; path: string; form: Record<string, string> | string; error: string }[] = [
  { name: 'no client', path: deviceAuthorizationPath, form: {}, error: 'invalid_request' },
  { name: 'another client', path: deviceAuthorizationPath, form: { client_id: 'x' }, error: 'invalid_client' },
  {
    name: 'an unknown role',
    path: deviceAuthorizationPath,
    form: { client_id: deviceClientId, scope: 'root' },
    error: 'invalid_scope',
  },
  {
    name: 'a repeated parameter',
    path: deviceAuthorizationPath,
    form: `client_id=${deviceClientId}&client_id=${deviceClientId}`,
    error: 'invalid_request',
  },
  {
    name: 'another grant',
    path: deviceTokenPath,
    form: { ...form, grant_type: 'password' },
    error: 'unsupported_grant_type',
  },
  { name: 'no device code', path: deviceTokenPath, form: { ...form, device_code: '' }, error: 'invalid_request' },
  { name: 'an unknown device code', path: deviceTokenPath, form, error: 'invalid_grant' },
]
for (const { name, path, form: sent, error } of malformed)
  test(`${name} is ${error}`, async () => {
    const { status, body } = await post(path, sent)
    assert.deepEqual([status, body.error, typeof body.error_description], [400, error, 'string'])
  })

test('JSON is refused in the form of OAuth', async () => {
  const answer = await server.anonymous.post(deviceTokenPath, form)
  assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
})

test('nobody confirms a role above their own', async () => {
  const { device_code, user_code } = await authorize()
  const answer = await act(reader, 'confirmDeviceLogin', user_code, { role: 'operator' })
  assertFailure(answer, { status: 400, code: 'SYS.1007' })
  assert.equal(await errorOf(device_code), 'authorization_pending')
})

test('a key that confirms gives no more rights than it has', async () => {
  const own = { accountUuid: operator.accountUuid, userUuid: operator.accountUuid }
  const expiresDate = new Date(clock.now() + 86_400_000).toISOString()
  const params = { ...own, expiresDate, operations: ['identity:*'] }
  const { inventory } = (await operator.post('/v1/accesskeys', { params })).body as { inventory: Json }
  const { AccessKeyID: id, AccessKeySecret: secret } = inventory
  const limited = new Client(server.url, { kind: 'message', id: String(id), key: String(secret) }, clock)
  const { device_code, user_code } = await authorize()
  const confirmed = await act(limited, 'confirmDeviceLogin', user_code)
  assert.equal(confirmed.status, 200, confirmed.text)
  const { body: key } = await poll(device_code)
  assert.equal(key.expires_in, 86_400)
  const [record] = (await operator.get(`/v1/accesskeys?q=uuid=${key.access_key_uuid}`)).body.inventories as Json[]
  assert.deepEqual(record?.operations, ['identity:*'])
})

test('a user who guesses codes is blocked after ten attempts, and others are not', async () => {
  const guesser = await server.signIn('reader')
  const { user_code } = await authorize()
  for (let guess = 0; guess < 10; guess++)
    assertFailure(await act(guesser, 'findDeviceLogin', 'BBBB-BBBB'), { status: 404, code: 'SYS.1003' })
  for (const action of ['findDeviceLogin', 'confirmDeviceLogin', 'denyDeviceLogin'])
    assertFailure(await act(guesser, action, user_code), { status: 429, code: 'ID.1003' })
  assert.equal((await act(operator, 'findDeviceLogin', user_code)).status, 200)
})

test('an address has at most twenty sign-ins that wait', async () => {
  await forget()
  for (let count = 0; count < 20; count++) await authorize()
  const { status, body } = await post(deviceAuthorizationPath, { client_id: deviceClientId })
  assert.deepEqual([status, body.error], [429, 'temporarily_unavailable'])
  await forget()
})

test('a sign-in survives restarts of the server at every step', async (t) => {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  const restarted = async <T>(work: (server: TestServer) => Promise<T>): Promise<T> => {
    const node = await TestServer.open(environment)
    try {
      return await work(node)
    } finally {
      await node.app.close()
    }
  }
  const { device_code, user_code } = await restarted((node) => authorize({}, node))
  const confirmed = await restarted((node) => act(node.admin, 'confirmDeviceLogin', user_code))
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.equal((await restarted((node) => poll(device_code, node))).status, 200)
})
