import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, EventReader, TestServer, trialOperations } from '@wharf/testkit'
import type { KyselyPlugin } from 'kysely'

/** A user inside the admin's account, with a session and a key. */
async function someone(server: TestServer, role: string, name = 'someone') {
  const { accountUuid } = server.bootstrap
  const password = `password of ${name}`
  const made = await server.admin.post('/v1/users', { params: { accountUuid, name, password, role } })
  const { uuid } = made.body.inventory as { uuid: string }
  const keyParams = { params: { accountUuid, userUuid: uuid } }
  const key = (await server.admin.post('/v1/accesskeys', keyParams)).body.inventory as Record<string, string>
  const login = await server.anonymous.put('/v1/accounts/users/login', {
    logInByUser: { accountUuid, userName: name, password },
  })
  const sessionUuid = (login.body.inventory as { uuid: string }).uuid
  const { uuid: keyUuid, AccessKeyID: id = '', AccessKeySecret: secret = '' } = key
  return {
    uuid,
    sessionUuid,
    keyUuid,
    bySession: new Client(server.url, { kind: 'session', uuid: sessionUuid }),
    byKey: new Client(server.url, { kind: 'key', id, secret }),
  }
}
type Someone = Awaited<ReturnType<typeof someone>>

const changeUser = (server: TestServer, { uuid }: Someone, updateUser: object) =>
  server.admin.put(`/v1/users/${uuid}/actions`, { updateUser })

/** What is done, and what a session and a key may do right after it. */
const rows: {
  name: string
  act: (server: TestServer, who: Someone) => Promise<unknown>
  session: number
  key: number
}[] = [
  {
    name: 'disabling the key',
    act: (server, { keyUuid }) =>
      server.admin.put(`/v1/accesskeys/${keyUuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } }),
    session: 200,
    key: 401,
  },
  {
    name: 'deleting the key',
    act: (server, { keyUuid }) => server.admin.delete(`/v1/accesskeys/${keyUuid}`),
    session: 200,
    key: 401,
  },
  {
    name: 'ending the session',
    act: (server, { sessionUuid }) => server.anonymous.delete(`/v1/accounts/sessions/${sessionUuid}`),
    session: 401,
    key: 200,
  },
  {
    name: 'taking the role away',
    act: (server, who) => changeUser(server, who, { role: 'reader' }),
    session: 403,
    key: 403,
  },
  {
    name: 'setting a new password',
    act: (server, who) => changeUser(server, who, { password: 'another password' }),
    session: 401,
    key: 200,
  },
  {
    name: 'deleting the user',
    act: (server, { uuid }) => server.admin.delete(`/v1/users/${uuid}`),
    session: 401,
    key: 401,
  },
]

for (const { name, act, session, key } of rows) {
  test(`${name} takes effect for the next call on this node`, async (t) => {
    const server = await TestServer.start(t)
    const who = await someone(server, 'operator')
    const attempt = async (client: Client, tag: string) =>
      (await client.post('/v1/tags', { params: { name: tag } })).status
    assert.deepEqual([await attempt(who.bySession, 'a'), await attempt(who.byKey, 'b')], [200, 200])
    await act(server, who)
    assert.deepEqual(await Promise.all([attempt(who.bySession, 'c'), attempt(who.byKey, 'd')]), [session, key])
  })
}

test('a change takes effect for the next call also while events are delayed', async (t) => {
  const server = await TestServer.start(t)
  const { byKey, keyUuid } = await someone(server, 'reader')
  assert.equal((await byKey.get('/v1/tags')).status, 200)
  slowReads(server, 200)
  await server.admin.put(`/v1/accesskeys/${keyUuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } })
  assert.equal((await byKey.get('/v1/tags')).status, 401)
})

/** A slow connection: every read returns later. */
function slowReads({ app }: TestServer, ms: number): void {
  const { database } = app.foundation
  const { read } = database
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => delay(ms, result),
  }
  Object.defineProperty(database, 'read', { get: () => read.withPlugin(plugin) })
}

test('a granted role takes effect for the next call', async (t) => {
  const server = await TestServer.start(t)
  const who = await someone(server, 'reader')
  const create = async (name: string) => (await who.byKey.post('/v1/tags', { params: { name } })).status
  assert.equal(await create('too early'), 403)
  await changeUser(server, who, { role: 'operator' })
  assert.equal(await create('now'), 200)
})

test('deleting an account deletes its users, sessions and keys', async (t) => {
  const server = await TestServer.start(t)
  const operator = await server.signIn('operator')
  assert.equal((await operator.get('/v1/tags')).status, 200)
  await server.admin.delete(`/v1/accounts/${operator.accountUuid}`)
  assert.equal((await operator.get('/v1/tags')).status, 401)
  const { database } = server.app.foundation
  for (const table of ['users', 'sessions', 'accessKeys'] as const) {
    const left = database.read.selectFrom(table).select('accountUuid').where('accountUuid', '=', operator.accountUuid)
    assert.deepEqual(await left.execute(), [], table)
  }
})

async function endsWithin(reader: EventReader, ms: number): Promise<boolean> {
  // a timer may fire slightly early, so the clock does not show the order
  let isStopped = false
  const timer = setTimeout(() => {
    isStopped = true
    reader.stop()
  }, ms)
  for await (const _ of reader);
  clearTimeout(timer)
  return !isStopped
}

async function streaming(t: TestContext) {
  const server = await TestServer.start(t, { extend: trialOperations })
  const who = await someone(server, 'operator')
  const script = JSON.stringify({ trace: '/dev/null', stepMs: 30_000 })
  const accepted = await who.bySession.post('/v1/demo-jobs', { params: { script } }, { prefer: 'respond-async' })
  const { pathname, search } = new URL(String(accepted.body.location))
  const log = `${pathname.slice(pathname.indexOf('/v1'))}/log`
  return { server, who, log, token: search.slice(1) }
}

for (const [kind, open] of [
  ['events', () => '/v1/events'],
  ['a job log', (log: string) => `${log}?follow=true`],
] as const) {
  test(`a stream of ${kind} is closed when its session ends, its key is disabled or its role changes`, async (t) => {
    const { server, who, log } = await streaming(t)
    const bystander = new EventReader(server.admin, open(log))
    assert.equal(await bystander.status, 200)
    for (const { name, act } of rows) {
      const other = await someone(server, 'operator', name)
      const client = name.includes('key') ? other.byKey : other.bySession
      const stream = new EventReader(client, open(log))
      assert.equal(await stream.status, 200, name)
      await act(server, other)
      assert.ok(await endsWithin(stream, 1000), name)
    }
    assert.equal((await who.bySession.get('/v1/tags')).status, 200)
    assert.equal(await endsWithin(bystander, 300), false)
  })
}

test("a job log that was opened by the job's token outlives the session beside it", async (t) => {
  const { server, who, log, token } = await streaming(t)
  const stream = new EventReader(who.bySession, `${log}?follow=true&${token}`)
  assert.equal(await stream.status, 200)
  await server.anonymous.delete(`/v1/accounts/sessions/${who.sessionUuid}`)
  assert.equal(await endsWithin(stream, 500), false)
})
