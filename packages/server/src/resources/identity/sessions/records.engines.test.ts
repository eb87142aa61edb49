import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { type Answer, assertFailure, Client, EventReader, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database } = server.app.foundation
const reader = await server.signIn('reader', 'reader')
const operator = await server.signIn('operator', 'operator')
const admin = await server.logIn('admin', server.bootstrap.password)

interface SessionRecord {
  uuid: string
  userUuid: string
  kind: string
  client: string | null
  address: string | null
}

const idOf = (client: Client): string => (client.credential as { uuid: string }).uuid
const uuidOf = (client: Client): string => sha256(idOf(client)).slice(0, 32)
const again = (who: { accountUuid: string }): Promise<Client> =>
  server.logIn(who === reader ? 'reader' : 'operator', `password of ${who === reader ? 'reader' : 'operator'}`)
const list = async (client: Client, query = ''): Promise<SessionRecord[]> =>
  (await client.get(`/v1/accounts/sessions${query}`)).body.inventories as SessionRecord[]
const end = (as: Client, uuid: string): Promise<Answer> =>
  as.put(`/v1/accounts/sessions/${uuid}/actions`, { endSession: {} })
const endAll = (as: Client, userUuid: string, fields = {}): Promise<Answer> =>
  as.put(`/v1/users/${userUuid}/actions`, { endSessions: fields })
const statusOf = async (client: Client): Promise<number> => (await client.get('/v1/tags')).status

test('everyone sees their own sessions, an admin all, and nobody a session id', async () => {
  const [own, others] = [await list(reader), await list(operator)]
  assert.ok(own.some(({ uuid }) => uuid === uuidOf(reader)))
  assert.ok(own.every(({ userUuid }) => userUuid === reader.accountUuid))
  assert.ok(others.every(({ userUuid }) => userUuid === operator.accountUuid))
  const { text } = await server.admin.get('/v1/accounts/sessions')
  for (const client of [reader, operator, admin])
    assert.ok(text.includes(uuidOf(client)) && !text.includes(idOf(client)) && !text.includes(sha256(idOf(client))))
})

test('a session shows how, with what and from where it was created', async () => {
  const name = 'reader'
  const body = { logInByAccount: { accountName: name, password: `password of ${name}` } }
  const answer = await server.anonymous.put('/v1/accounts/login', body, { 'user-agent': `x${'y'.repeat(300)}` })
  const uuid = sha256((answer.body.inventory as { uuid: string }).uuid).slice(0, 32)
  const [record] = await list(reader, `?q=uuid=${uuid}`)
  assert.ok(record)
  const { kind, client, address } = record
  assert.deepEqual({ kind, client, address }, { kind: 'Password', client: `x${'y'.repeat(255)}`, address: '127.0.0.1' })
})

test('sessions can be queried, sorted and counted by their own fields', async () => {
  await again(reader)
  const sorted = await list(reader, '?sort=-uuid&limit=2')
  assert.deepEqual(
    sorted
      .map(({ uuid }) => uuid)
      .toSorted()
      .toReversed(),
    sorted.map(({ uuid }) => uuid),
  )
  const { body } = await reader.get('/v1/accounts/sessions?count=true&q=kind=Password&q=lastUsedDate>2020-01-01')
  assert.equal(body.total, (await list(reader)).length)
  assertFailure(await reader.get('/v1/accounts/sessions?q=hash=x'), { status: 400, code: 'SYS.1007' })
})

test('the caller finds its own session in the list', async () => {
  const { inventory } = (await reader.get('/v1/caller-identity')).body as { inventory: Record<string, string> }
  assert.deepEqual([inventory.credentialType, inventory.credentialUuid], ['Session', uuidOf(reader)])
})

test('an ended session is refused immediately, its streams are closed, and its user gets the event', async () => {
  const other = await again(reader)
  const stream = new EventReader(other, '/v1/events')
  assert.equal(await stream.status, 200)
  const events = new EventReader(reader, '/v1/events')
  assert.equal(await events.status, 200)
  assert.equal((await end(reader, uuidOf(other))).status, 200)
  assert.equal(await statusOf(other), 401)
  for await (const _ of stream);
  for await (const { data } of events)
    if (data.includes('"Session"')) {
      assert.ok(data.includes(uuidOf(other)) && !data.includes(sha256(idOf(other))), data)
      break
    }
  events.stop()
  assert.equal(await statusOf(reader), 200)
})

test('one call ends all sessions of a user, or all but the one that calls', async () => {
  const [one, two] = [await again(operator), await again(operator)]
  const others = (await list(operator)).length - 1
  const kept = await endAll(one, operator.accountUuid, { keepCurrent: true })
  assert.deepEqual([kept.status, kept.body.endedCount], [200, others])
  assert.deepEqual([await statusOf(one), await statusOf(two)], [200, 401])
  assert.equal((await endAll(server.admin, operator.accountUuid)).body.endedCount, 1)
  assert.equal(await statusOf(one), 401)
  assert.equal((await endAll(server.admin, operator.accountUuid)).body.endedCount, 0)
})

test('an audit entry names the session, and who ended it', async () => {
  const other = await again(reader)
  await end(server.admin, uuidOf(other))
  const path = `/v1/audit-entries?q=operation=EndSession&q=resourceUuid=${uuidOf(other)}`
  const [entry] = (await server.admin.get(path)).body.inventories as Record<string, string>[]
  assert.deepEqual([entry?.resourceType, entry?.actorName, entry?.outcome], ['Session', 'admin', 'Success'])
})

const { credential: ownCredential } = reader
const limited = async (): Promise<Client> => {
  const { accountUuid, userUuid } = server.bootstrap
  const params = { accountUuid, userUuid, role: 'reader' }
  const key = (await server.admin.post('/v1/accesskeys', { params })).body.inventory as Record<string, string>
  return new Client(server.url, { kind: 'key', id: key.AccessKeyID ?? '', secret: key.AccessKeySecret ?? '' })
}

const refused: { name: string; send: () => Promise<Answer>; status: number; code: string }[] = [
  { name: "another's session", send: () => end(reader, uuidOf(admin)), status: 403, code: 'ID.1002' },
  {
    name: "all of another's sessions",
    send: () => endAll(reader, server.bootstrap.userUuid),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'a session with more rights than a key has',
    send: async () => end(await limited(), uuidOf(admin)),
    status: 403,
    code: 'ID.1002',
  },
  { name: 'an unknown session', send: () => end(server.admin, 'f'.repeat(32)), status: 404, code: 'SYS.1003' },
  {
    name: 'a session by its id',
    send: () => end(server.admin, (ownCredential as { uuid: string }).uuid),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'the sessions of an unknown user',
    send: () => endAll(server.admin, 'f'.repeat(32)),
    status: 404,
    code: 'SYS.1003',
  },
]
for (const { name, send, status, code } of refused)
  test(`refuses to end ${name}, and nothing happens`, async () => {
    const sessions = () => database.read.selectFrom('sessions').select('hash').orderBy('hash').execute()
    const before = await sessions()
    const answer = await send()
    assertFailure(answer, { status, code })
    assert.ok(!answer.text.includes(idOf(reader)), answer.text)
    assert.deepEqual(await sessions(), before)
  })
