import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, assertFailure, rawBytes, TestServer } from '@wharf/testkit'

/** Each setting for existing clients alone; existing-clients.test.ts has all of them together. */
const start = (environment: Record<string, string>) => TestServer.start({ after }, { environment })
const [usual, alone, typed, polled] = await Promise.all([
  start({}),
  start({ WHARF_ERROR_ALONE: 'true' }),
  start({ WHARF_JSON_SCHEMA: 'true' }),
  start({ WHARF_ALWAYS_202: 'true' }),
])
const missing = 'f'.repeat(32)
const requested = { 'x-json-schema': 'true' }

test('a failure contains error alone, wherever it occurs', async () => {
  const failures: Answer[] = [
    await alone.admin.get(`/v1/tags/${missing}`),
    await alone.anonymous.get('/v1/tags'),
    await alone.admin.get('/v1/nothing'),
    await alone.admin.post('/v1/tags', '{'),
    await rawBytes(alone.url, 'nonsense\r\n\r\n'),
    await locationOf(alone, await alone.admin.delete(`/v1/tags/${missing}`, undefined, { 'x-job-uuid': newUuid() })),
  ]
  for (const { body, text } of failures) assert.deepEqual(Object.keys(body), ['error'], text)
  assert.deepEqual(Object.keys((await alone.admin.get('/v1/tags')).body), ['inventories', 'success', 'error'])
  assert.deepEqual(Object.keys((await usual.admin.get('/v1/nothing')).body), ['success', 'error'])
})

/** What is read at the location of a 202, as a client without a credential reads it. */
function locationOf(server: TestServer, { status, body, text }: Answer, headers = {}): Promise<Answer> {
  assert.equal(status, 202, text)
  const { pathname, search } = new URL(String(body.location))
  return server.anonymous.get(pathname.replace('/wharf', '') + search, headers)
}

test('the types of the records are returned on request, where the setting allows it', async () => {
  for (const name of ['one', 'two']) await typed.admin.post('/v1/tags', { params: { name } })
  const { inventories, schema } = (await typed.admin.get('/v1/tags', requested)).body
  assert.equal((inventories as unknown[]).length, 2)
  assert.deepEqual(schema, { 'inventories[0]': 'TagInventory', 'inventories[1]': 'TagInventory' })
  const some = await typed.admin.get('/v1/hosts?fields=name&limit=1', { 'x-json-schema': 'True' })
  assert.deepEqual(some.body.schema, { 'inventories[0]': 'org.zstack.header.host.HostInventory' })
  const made = await typed.admin.post('/v1/tags', { params: { name: 'three' } }, requested)
  assert.deepEqual(made.body.schema, { inventory: 'TagInventory' })
  const { contents, schema: types } = (await typed.admin.get('/v1/errorcode/elaborations?category=JOB', requested)).body
  assert.deepEqual(
    types,
    Object.fromEntries(
      (contents as unknown[]).map((_, at) => [`contents[${at}]`, 'org.zstack.core.errorcode.ElaborationContent']),
    ),
  )
  assert.deepEqual((await typed.admin.get('/v1/tags?q=name=none', requested)).body.schema, {})
  for (const answer of [await typed.admin.get('/v1/tags'), await usual.admin.get('/v1/tags', requested)])
    assert.ok(!('schema' in answer.body), answer.text)
})

const tag = (name: string) => ({ params: { name } })

test('a call that succeeds immediately returns 202, and its response at the location; repeated the same', async () => {
  const headers = { 'x-job-uuid': newUuid() }
  const first = await polled.admin.post('/v1/tags', tag('polled'), headers)
  const answer = await locationOf(polled, first)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['inventory', 'success', 'error'])
  const again = await polled.admin.post('/v1/tags', tag('polled'), headers)
  assert.equal(again.body.location, first.body.location)
  assert.equal((await locationOf(polled, again)).text, answer.text)
  const other = await polled.admin.post('/v1/tags', tag('other'), headers)
  assertFailure(other, { status: 409, code: 'JOB.1002' })
  const { body } = await polled.admin.get(
    `/v1/api-jobs?q=uuid=${headers['x-job-uuid']}&fields=operation,state,progress`,
  )
  assert.deepEqual(body.inventories, [{ operation: 'CreateTag', state: 'Succeeded', progress: 100 }])
  assert.deepEqual((await polled.admin.get('/v1/tags?q=name=polled&count=true')).body.total, 1)
})

test('several such concurrent calls are one', async () => {
  const headers = { 'x-job-uuid': newUuid() }
  const calls = Array.from({ length: 5 }, () => polled.admin.post('/v1/tags', tag('at once'), headers))
  const locations = (await Promise.all(calls)).map(({ status, body }) => `${status} ${body.location}`)
  assert.equal(new Set(locations).size, 1)
  assert.ok(locations[0]?.startsWith('202 '))
  assert.equal((await polled.admin.get('/v1/tags?q=name=at%20once&count=true')).body.total, 1)
})

test('the result of a call that changes nothing is stored as well', async () => {
  const reloaded = await polled.admin.put(
    '/v1/errorcode/actions',
    { reloadElaboration: {} },
    { 'x-job-uuid': newUuid() },
  )
  assert.equal((await locationOf(polled, reloaded)).text, '{"success":true,"error":null}')
})

test('the change, its job and its key are one commit', async (t) => {
  const uuid = newUuid()
  const { jobs } = polled.app.foundation
  t.mock.method(jobs, 'recordSuccess', async () => {
    throw new Error('the process was killed here')
  })
  assert.equal((await polled.admin.post('/v1/tags', tag('lost'), { 'x-job-uuid': uuid })).status, 202)
  t.mock.restoreAll()
  assert.deepEqual((await polled.admin.get('/v1/tags?q=name=lost')).body.inventories, [])
})

test('a secret is returned at the location, with its token and once', async () => {
  const { accountUuid } = polled.bootstrap
  const params = { accountUuid, userUuid: accountUuid }
  const accepted = await polled.admin.post('/v1/accesskeys', { params }, { 'x-job-uuid': newUuid() })
  const secretOf = ({ body }: Answer): unknown => (body.inventory as { AccessKeySecret: unknown }).AccessKeySecret
  const reader = await polled.signIn('reader')
  const path = new URL(String(accepted.body.location)).pathname.replace('/wharf', '')
  assert.equal(secretOf(await reader.get(path)), null, 'a reader has no token')
  assert.match(String(secretOf(await locationOf(polled, accepted))), /^.{40}$/)
  assert.equal(secretOf(await locationOf(polled, accepted)), null)
})

test('a secret is not returned at the location after the user was deleted', async () => {
  const leaver = await polled.signIn('admin')
  const { accountUuid } = polled.bootstrap
  const params = { accountUuid, userUuid: accountUuid }
  const accepted = await leaver.post('/v1/accesskeys', { params }, { 'x-job-uuid': newUuid() })
  assert.equal((await polled.admin.delete(`/v1/accounts/${leaver.accountUuid}`)).status, 200)
  const { inventory } = (await locationOf(polled, accepted)).body as { inventory: { AccessKeySecret: unknown } }
  assert.equal(inventory.AccessKeySecret, null)
})

test('login, logout, the elaboration check, GETs and calls without the header respond as usual', async () => {
  const headers = { 'x-job-uuid': newUuid() }
  const { password } = polled.bootstrap
  const login = { logInByAccount: { accountName: 'admin', password } }
  const signedIn = await polled.anonymous.put('/v1/accounts/login', login, headers)
  const { uuid } = signedIn.body.inventory as { uuid: string }
  const check = { params: { elaborateContent: '[]' } }
  for (const answer of [
    signedIn,
    await polled.admin.post('/v1/errorcode/elaborations/check', check, headers),
    await polled.admin.get('/v1/tags', headers),
    await polled.anonymous.delete(`/v1/accounts/sessions/${uuid}`, undefined, headers),
    await polled.admin.post('/v1/tags', tag('no header')),
    await polled.admin.post('/v1/tags', tag('a key'), { 'idempotency-key': newUuid() }),
  ])
    assert.equal(answer.status, 200, answer.text)
})
