import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTag } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import {
  type Answer,
  assertFailure,
  Client,
  MovingClock,
  slowCall,
  TestServer,
  type TestServerOptions,
} from '@wharf/testkit'
import { handle } from '../../calls/bind.ts'
import { pauseNextHash } from './testing/pause-next-hash.ts'

/** An admin beside the first one, with a session and a key. */
async function start(t: TestContext, options: TestServerOptions = {}) {
  const server = await TestServer.start(t, options)
  const bySession = await server.signIn('admin', 'second')
  const { accountUuid } = bySession
  const params = { accountUuid, userUuid: accountUuid }
  const key = (await server.admin.post('/v1/accesskeys', { params })).body.inventory as Record<string, string>
  const { uuid: keyUuid = '', AccessKeyID: id = '', AccessKeySecret: secret = '' } = key
  const byKey = new Client(server.url, { kind: 'key', id, secret })
  const sessionUuid = (bySession.credential as { uuid: string }).uuid
  return { server, accountUuid, keyUuid, keyId: id, sessionUuid, bySession, byKey }
}
type Someone = Awaited<ReturnType<typeof start>>

const setRole = ({ server, accountUuid }: Someone, role: string) =>
  server.admin.put(`/v1/users/${accountUuid}/actions`, { updateUser: { role } })

const revocations: {
  name: string
  act: (who: Someone) => Promise<Answer>
  session?: { status: number; code: string }
  key?: { status: number; code: string }
}[] = [
  {
    name: 'the session ends',
    act: ({ server, sessionUuid }) => server.anonymous.delete(`/v1/accounts/sessions/${sessionUuid}`),
    session: { status: 401, code: 'ID.1001' },
  },
  {
    name: 'the password is reset',
    act: ({ server, accountUuid }) =>
      server.admin.put(`/v1/accounts/${accountUuid}/actions`, { updateAccount: { password: 'the reset password' } }),
    session: { status: 401, code: 'ID.1001' },
  },
  {
    name: 'the key is disabled',
    act: ({ server, keyUuid }) =>
      server.admin.put(`/v1/accesskeys/${keyUuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } }),
    key: { status: 401, code: 'ID.1000' },
  },
  {
    name: 'the key is deleted and its id given to another key',
    act: async ({ server, accountUuid, keyUuid, keyId }) => {
      await server.admin.delete(`/v1/accesskeys/${keyUuid}`)
      const params = { accountUuid, userUuid: accountUuid, AccessKeyID: keyId, resourceUuid: keyUuid }
      return server.admin.post('/v1/accesskeys', { params })
    },
    key: { status: 401, code: 'ID.1000' },
  },
  {
    name: 'the account is deleted',
    act: ({ server, accountUuid }) => server.admin.delete(`/v1/accounts/${accountUuid}`),
    session: { status: 401, code: 'ID.1001' },
    key: { status: 401, code: 'ID.1000' },
  },
  {
    name: 'the role is lowered',
    act: (who) => setRole(who, 'operator'),
    session: { status: 403, code: 'ID.1002' },
    key: { status: 403, code: 'ID.1002' },
  },
]

const newAdmin = { params: { name: 'intruder', password: 'a long password', role: 'admin' } }

const names = async (database: Database): Promise<string[]> =>
  (await database.read.selectFrom('accounts').select('name').execute()).map(({ name }) => name)

for (const { name, act, ...refusals } of revocations)
  test(`a call whose body arrives after ${name} changes nothing`, async (t) => {
    const who = await start(t)
    const calls = await Promise.all(
      Object.entries(refusals).map(async ([kind, expected], at) => {
        const client = kind === 'session' ? who.bySession : who.byKey
        const call = await slowCall(client, 'POST', '/v1/accounts', newAdmin)
        const asJob = await slowCall(client, 'POST', '/v1/accounts', newAdmin, { 'x-job-uuid': `${at}`.repeat(32) })
        return { expected, call, asJob }
      }),
    )
    assert.equal((await act(who)).status, 200)
    for (const { expected, call, asJob } of calls) {
      assertFailure(await call.finish(), expected)
      // a revoked caller leaves no job
      assert.equal((await asJob.finish()).status, expected.status === 403 ? 202 : 401)
    }
    assert.ok(!(await names(who.server.app.foundation.database)).includes('intruder'))
  })

test('a call whose body arrives after its session has expired changes nothing', async (t) => {
  const clock = new MovingClock()
  const { bySession } = await start(t, { clock })
  const call = await slowCall(bySession, 'POST', '/v1/accounts', newAdmin)
  clock.advance(25 * 3_600_000)
  assertFailure(await call.finish(), { status: 401, code: 'ID.1001' })
})

test('a lower role that suffices is used', async (t) => {
  const who = await start(t)
  const { bootstrap } = who.server
  const call = await slowCall(who.bySession, 'POST', '/v1/accesskeys', {
    params: { accountUuid: bootstrap.accountUuid, userUuid: bootstrap.accountUuid },
  })
  const own = await slowCall(who.bySession, 'POST', '/v1/accesskeys', {
    params: { accountUuid: who.accountUuid, userUuid: who.accountUuid },
  })
  await setRole(who, 'reader')
  assertFailure(await call.finish(), { status: 403, code: 'ID.1002', details: 'another user' })
  assert.equal((await own.finish()).status, 200)
})

test('the stored response for a repeated call is not returned to a revoked caller', async (t) => {
  const who = await start(t)
  const [path, headers] = ['/v1/tags', { 'idempotency-key': 'once' }] as const
  const body = { params: { name: 'tag' } }
  assert.equal((await who.bySession.post(path, body, headers)).status, 200)
  const repeated = await slowCall(who.bySession, 'POST', path, body, headers)
  await who.server.anonymous.delete(`/v1/accounts/sessions/${who.sessionUuid}`)
  assertFailure(await repeated.finish(), { status: 401, code: 'ID.1001' })
})

/** As another node changes it, before this node has received the event. */
const unheard: {
  name: string
  session: number
  key: number
  act: (database: Database, who: Someone) => Promise<unknown>
}[] = [
  {
    name: 'an ended session',
    session: 401,
    key: 200,
    act: (database, { accountUuid }) =>
      database.transaction((tx) => tx.deleteFrom('sessions').where('userUuid', '=', accountUuid).execute()),
  },
  {
    name: 'a disabled key',
    session: 200,
    key: 401,
    act: (database, { keyUuid }) =>
      database.transaction((tx) =>
        tx.updateTable('accessKeys').set({ state: 'Disabled' }).where('uuid', '=', keyUuid).execute(),
      ),
  },
  {
    name: 'a deleted account',
    session: 401,
    key: 401,
    act: (database, { accountUuid }) =>
      database.transaction((tx) => tx.deleteFrom('accounts').where('uuid', '=', accountUuid).execute()),
  },
  {
    name: 'a lowered role',
    session: 403,
    key: 403,
    act: (database, { accountUuid }) =>
      database.transaction((tx) =>
        tx.updateTable('users').set({ role: 'operator' }).where('uuid', '=', accountUuid).execute(),
      ),
  },
]

for (const { name, session, key, act } of unheard)
  test(`${name} that this node has not received yet changes nothing`, async (t) => {
    const who = await start(t)
    const { database } = who.server.app.foundation
    for (const client of [who.bySession, who.byKey]) assert.equal((await client.get('/v1/tags')).status, 200)
    await act(database, who)
    const create = async (client: Client, account: string, headers = {}) =>
      (
        await client.post(
          '/v1/accounts',
          { params: { name: account, password: 'a long password', role: 'admin' } },
          headers,
        )
      ).status
    assert.deepEqual([await create(who.bySession, 'by-session'), await create(who.byKey, 'by-key')], [session, key])
    assert.equal(await create(who.bySession, 'by-session-once', { 'idempotency-key': 'k' }), session)
    assert.deepEqual((await names(database)).sort(), [
      'admin',
      ...(key === 200 ? ['by-key'] : []),
      ...(session === 200 ? ['by-session', 'by-session-once'] : []),
      ...(name === 'a deleted account' ? [] : ['second']),
    ])
  })

test('a call whose role was lowered during a check is rejected, and may be repeated', async (t) => {
  const who = await start(t)
  const path = `/v1/accounts/${who.accountUuid}/actions`
  const change = { updateAccount: { password: 'the new password', oldPassword: 'password of second' } }
  const { reached, resume } = pauseNextHash(t)
  const changing = who.bySession.put(path, change)
  await reached
  assert.equal((await setRole(who, 'operator')).status, 200)
  resume()
  assertFailure(await changing, { status: 403, code: 'ID.1002', details: 'changed to operator during the call' })
  assert.equal((await who.bySession.put(path, change)).status, 200)
})

test('a change that has started is committed before the demotion of its caller', async (t) => {
  const started = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const slowTag = handle(
    { ...createTag, name: 'SlowChange', path: '/v1/slow-changes', permission: 'administer' },
    (call) =>
      call.commit(async (tx) => {
        started.resolve()
        await resumed.promise
        const now = 1
        const tag = { uuid: 'e'.repeat(32), name: 'slow', color: null, createDate: now, lastOpDate: now }
        await tx.insertInto('tags').values(tag).execute()
        return { inventory: tag }
      }),
  )
  const who = await start(t, { extend: () => [slowTag] })
  const changing = who.bySession.post('/v1/slow-changes', { params: { name: 'slow' } })
  await started.promise
  const order: string[] = []
  const demoting = setRole(who, 'reader').then(({ status }) => order.push(`demoted ${status}`))
  await delay(50)
  assert.equal(order.length, 0)
  resumed.resolve()
  const changed = changing.then(({ status }) => order.push(`changed ${status}`))
  await Promise.all([demoting, changed])
  assert.deepEqual(order.sort(), ['changed 200', 'demoted 200'])
})
