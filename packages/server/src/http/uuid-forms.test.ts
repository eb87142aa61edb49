import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, assertFailure, Client, TestServer } from '@wharf/testkit'

/** A uuid may be written with dashes and capitals in every input; it is stored in one form. */
const server = await TestServer.start({ after })
const { admin } = server

const written = (uuid: string): string => uuid.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const [wanted, other] = [newUuid(), newUuid()]
const stored = await admin.post('/v1/tags', { params: { name: 'wanted', resourceUuid: written(wanted) } })
await admin.post('/v1/tags', { params: { name: 'other', resourceUuid: other } })

const names = ({ body, text }: Answer): string => {
  assert.ok(Array.isArray(body.inventories), text)
  return (body.inventories as { name: string }[])
    .map(({ name }) => name)
    .toSorted()
    .join()
}

test('resourceUuid is stored without dashes, and in use under any form of it', async () => {
  assert.equal((stored.body.inventory as { uuid: string }).uuid, wanted, stored.text)
  const again = await admin.post('/v1/tags', { params: { name: 'again', resourceUuid: wanted } })
  assertFailure(again, { status: 409, code: 'SYS.1002' })
})

for (const [query, found] of [
  [`q=uuid=${written(wanted)}`, 'wanted'],
  [`q=uuid?=${written(wanted)},${written(other)}`, 'other,wanted'],
  [`q=uuid!=${written(wanted)}`, 'other'],
  [`q=uuid!?=${written(wanted)}`, 'other'],
  [`q=uuid~=${written(wanted).slice(0, 12)}%25`, 'wanted'],
  [`q=uuid>=${written(wanted)}&q=uuid<=${written(wanted)}`, 'wanted'],
] as const)
  test(`finds by ${query.replaceAll(/[0-9A-F]{4,}/g, 'X')}`, async () => {
    assert.equal(names(await admin.get(`/v1/tags?${query}`)), found)
  })

test('paths, signed as they are sent', async () => {
  assert.equal(names(await admin.get(`/v1/tags/${written(wanted)}`)), 'wanted')
  const gone = await admin.delete(`/v1/tags/${written(other)}?tagUuid=${other}`)
  assert.equal(gone.status, 200, gone.text)
  assert.equal(names(await admin.get('/v1/tags')), 'wanted')
})

test('the permissions of a caller do not depend on the form of a uuid', async () => {
  const operator = await server.signIn('operator')
  const change = { updateAccount: { uuid: operator.accountUuid, password: 'the new password', oldPassword: 'wrong' } }
  const own = await operator.put(`/v1/accounts/${written(operator.accountUuid)}/actions`, change)
  assertFailure(own, { status: 403, code: 'ID.1002', details: 'oldPassword' })
})

test('sessions, in the header and in the path', async () => {
  const { uuid } = (await server.signIn('reader')).credential as { uuid: string }
  const dashed = new Client(server.url, { kind: 'session', uuid: written(uuid) })
  assert.equal((await dashed.get('/v1/tags')).status, 200)
  const valid = async (): Promise<unknown> =>
    (await server.anonymous.get(`/v1/accounts/sessions/${written(uuid)}/valid?sessionUuid=${uuid}`)).body.valid
  assert.equal(await valid(), true)
  await server.anonymous.delete(`/v1/accounts/sessions/${written(uuid)}?sessionUuid=${uuid}`)
  assert.equal(await valid(), false)
  assertFailure(await dashed.get('/v1/tags'), { status: 401, code: 'ID.1001' })
})

test('the uuid of a job, chosen and polled with dashes', async () => {
  const uuid = newUuid()
  const headers = { 'x-job-uuid': written(uuid) }
  const accepted = await admin.delete(`/v1/tags/${'f'.repeat(32)}`, undefined, headers)
  assert.equal(accepted.status, 202, accepted.text)
  const location = new URL(String(accepted.body.location))
  assert.ok(location.pathname.endsWith(uuid))
  const polled = await server.anonymous.get(`/v1/api-jobs/${written(uuid)}${location.search}`)
  assertFailure(polled, { status: 503, code: 'SYS.1003' })
})

test('an invalid uuid is not found in a path and rejected in a field', async () => {
  assertFailure(await admin.get(`/v1/tags/${written(wanted)}0`), { status: 404, code: 'SYS.1003' })
  const body = { params: { name: 'x', resourceUuid: `{${wanted}}` } }
  assertFailure(await admin.post('/v1/tags', body), { status: 400, code: 'SYS.1007', details: 'resourceUuid' })
})
