import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, assertFailure, Client, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database } = server.app.foundation
const reader = await server.signIn('reader')
const operator = await server.signIn('operator')

interface Key {
  uuid: string
  AccessKeyID: string
  AccessKeySecret: string
}

async function keyFor(client: { accountUuid: string }): Promise<Key & { signed: Client }> {
  const params = { accountUuid: client.accountUuid, userUuid: client.accountUuid }
  const key = (await server.admin.post('/v1/accesskeys', { params })).body.inventory as Key
  return { ...key, signed: new Client(server.url, { kind: 'key', id: key.AccessKeyID, secret: key.AccessKeySecret }) }
}

const change = (as: Client, uuid: string, stateEvent: string): Promise<Answer> =>
  as.put(`/v1/accesskeys/${uuid}/actions`, { changeAccessKeyState: { stateEvent } })
const statusOf = async (client: Client): Promise<number> => (await client.get('/v1/tags')).status
const stateOf = (answer: Answer): string => (answer.body.inventory as { state: string }).state

const foreign = await keyFor(operator)

test('disabling, enabling and deleting a key take effect immediately on this node', async () => {
  const { uuid, signed } = await keyFor(reader)
  for (let round = 0; round < 3; round++) {
    assert.equal(await statusOf(signed), 200)
    assert.equal(stateOf(await change(reader, uuid, 'disable')), 'Disabled')
    assert.equal(await statusOf(signed), 401)
    assert.equal(stateOf(await change(reader, uuid, 'enable')), 'Enabled')
    assert.equal(await statusOf(signed), 200)
  }
  assert.equal((await reader.delete(`/v1/accesskeys/${uuid}`)).status, 200)
  assert.equal(await statusOf(signed), 401)
})

test('enabling what is enabled and disabling what is disabled changes nothing', async () => {
  const { uuid, signed } = await keyFor(reader)
  for (const [event, state, status] of [
    ['enable', 'Enabled', 200],
    ['disable', 'Disabled', 401],
    ['disable', 'Disabled', 401],
    ['enable', 'Enabled', 200],
  ] as const) {
    assert.equal(stateOf(await change(reader, uuid, event)), state)
    assert.equal(await statusOf(signed), status)
  }
})

test('a key may disable and delete itself', async () => {
  const { uuid, signed } = await keyFor(operator)
  assert.equal(stateOf(await change(signed, uuid, 'disable')), 'Disabled')
  assertFailure(await change(signed, uuid, 'enable'), { status: 401, code: 'ID.1000' })
  await change(operator, uuid, 'enable')
  assert.equal((await signed.delete(`/v1/accesskeys/${uuid}`)).status, 200)
})

test('everyone sees their own keys, an admin all', async () => {
  const [mine, theirs] = [await keyFor(reader), await keyFor(operator)]
  const seen = async (client: Client): Promise<string[]> =>
    ((await client.get('/v1/accesskeys')).body.inventories as Key[]).map(({ uuid }) => uuid)
  const [byReader, byOperator, byAdmin] = [await seen(reader), await seen(operator), await seen(server.admin)]
  assert.ok(byReader.includes(mine.uuid) && !byReader.includes(theirs.uuid))
  assert.ok(byOperator.includes(theirs.uuid) && !byOperator.includes(mine.uuid))
  assert.ok(byAdmin.includes(mine.uuid) && byAdmin.includes(theirs.uuid))
  const counted = await reader.get(`/v1/accesskeys?count=true&q=uuid?=${mine.uuid},${theirs.uuid}`)
  assert.equal(counted.body.total, 1)
  assert.equal((await reader.get(`/v1/accesskeys/${mine.uuid}`)).status, 200)
  assert.equal((await server.admin.get(`/v1/accesskeys/${mine.uuid}`)).status, 200)
})

test('an admin manages the keys of others', async () => {
  const { uuid, signed } = await keyFor(reader)
  assert.equal(stateOf(await change(server.admin, uuid, 'disable')), 'Disabled')
  assert.equal(await statusOf(signed), 401)
  assert.equal((await server.admin.delete(`/v1/accesskeys/${uuid}`)).status, 200)
})

const missingUuid = 'f'.repeat(32)
const path = (uuid: string): string => `/v1/accesskeys/${uuid}`

const refused: { name: string; send: () => Promise<Answer>; status: number; code: string }[] = [
  { name: "get another's", send: () => reader.get(path(foreign.uuid)), status: 403, code: 'ID.1002' },
  { name: "disable another's", send: () => change(reader, foreign.uuid, 'disable'), status: 403, code: 'ID.1002' },
  { name: "delete another's", send: () => reader.delete(path(foreign.uuid)), status: 403, code: 'ID.1002' },
  { name: 'get a missing', send: () => reader.get(path(missingUuid)), status: 404, code: 'SYS.1003' },
  { name: 'disable a missing', send: () => change(reader, missingUuid, 'disable'), status: 404, code: 'SYS.1003' },
  { name: 'delete a missing', send: () => server.admin.delete(path(missingUuid)), status: 404, code: 'SYS.1003' },
  { name: 'delete a malformed', send: () => server.admin.delete(path('X')), status: 404, code: 'SYS.1003' },
  { name: 'forget a', send: () => change(operator, foreign.uuid, 'forget'), status: 400, code: 'SYS.1007' },
]

for (const { name, send, status, code } of refused) {
  test(`refuses to ${name} key, and nothing happens`, async () => {
    const state = async () => [
      await database.read.selectFrom('accessKeys').selectAll().orderBy('uuid').execute(),
      await database.read.selectFrom('events').select('sequence').execute(),
    ]
    const before = await state()
    assertFailure(await send(), { status, code })
    assert.deepEqual(await state(), before)
  })
}
