import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '@wharf/database/database.ts'
import { type Answer, Client, TestServer } from '@wharf/testkit'
import { userLock } from './user-lock.ts'

const maxMs = 3000

type Kind = 'session' | 'key'

async function setUp(t: TestContext) {
  const server = await TestServer.start(t)
  const bySession = await server.signIn('operator')
  const { accountUuid } = bySession
  const params = { accountUuid, userUuid: accountUuid }
  const key = (await server.admin.post('/v1/accesskeys', { params })).body.inventory as Record<string, string>
  const { uuid: keyUuid = '', AccessKeyID: id = '', AccessKeySecret: secret = '' } = key
  const byKey = new Client(server.url, { kind: 'key', id, secret })
  const sessionUuid = (bySession.credential as { uuid: string }).uuid
  return { server, accountUuid, keyUuid, sessionUuid, clients: { session: bySession, key: byKey } }
}

/** An operator who sends changes, twenty calls at a time, until each is rejected. */
async function start(t: TestContext, kinds: readonly Kind[]) {
  const who = await setUp(t)
  const going = Promise.withResolvers<void>()
  let changes = 0
  let isOver = false
  const write = async (client: Client): Promise<number> => {
    for (;;) {
      const { status } = await client.post('/v1/tags', { params: { name: `tag ${changes++}` } })
      if (changes === 60) going.resolve()
      if (status !== 200 || isOver) return status
    }
  }
  const writers = Array.from({ length: 20 }, (_, at) => write(who.clients[kinds[at % kinds.length] ?? 'key']))
  await going.promise
  const stop = () => {
    isOver = true
  }
  return { ...who, writers, stop }
}
type Someone = Awaited<ReturnType<typeof start>>

const revocations: { name: string; kinds: Kind[]; status: number; act: (who: Someone) => Promise<Answer> }[] = [
  {
    name: 'the deletion of its account',
    kinds: ['session', 'key'],
    status: 401,
    act: ({ server, accountUuid }) => server.admin.delete(`/v1/accounts/${accountUuid}`),
  },
  {
    name: 'a lower role',
    kinds: ['session', 'key'],
    status: 403,
    act: ({ server, accountUuid }) =>
      server.admin.put(`/v1/users/${accountUuid}/actions`, { updateUser: { role: 'reader' } }),
  },
  {
    name: 'the reset of its password',
    kinds: ['session'],
    status: 401,
    act: ({ server, accountUuid }) =>
      server.admin.put(`/v1/accounts/${accountUuid}/actions`, { updateAccount: { password: 'the reset password' } }),
  },
  {
    name: 'the end of its session',
    kinds: ['session'],
    status: 401,
    act: ({ server, sessionUuid }) => server.anonymous.delete(`/v1/accounts/sessions/${sessionUuid}`),
  },
  {
    name: 'the disabling of its key',
    kinds: ['key'],
    status: 401,
    act: ({ server, keyUuid }) =>
      server.admin.put(`/v1/accesskeys/${keyUuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } }),
  },
  {
    name: 'the deletion of its key',
    kinds: ['key'],
    status: 401,
    act: ({ server, keyUuid }) => server.admin.delete(`/v1/accesskeys/${keyUuid}`),
  },
]

for (const { name, kinds, status, act } of revocations)
  test(`a user who calls continuously does not delay ${name}`, async (t) => {
    const who = await start(t, kinds)
    const began = performance.now()
    const answer = await act(who)
    const ms = performance.now() - began
    if (answer.status !== 200) who.stop()
    const refusals = new Set(await Promise.all(who.writers))
    // so many signatures of no key block their address
    refusals.delete(429)
    assert.deepEqual([...refusals], [status])
    assert.equal(answer.status, 200)
    assert.ok(ms < maxMs, `${ms} ms`)
  })

const committed: { name: string; statuses: [session: number, key: number]; act: (tx: Tx, uuid: string) => unknown }[] =
  [
    {
      name: 'a lower role',
      statuses: [403, 403],
      act: (tx, uuid) => tx.updateTable('users').set({ role: 'reader' }).where('uuid', '=', uuid).execute(),
    },
    {
      name: 'a deleted user',
      statuses: [401, 401],
      act: (tx, uuid) => tx.deleteFrom('users').where('uuid', '=', uuid).execute(),
    },
    {
      name: 'a disabled key',
      statuses: [200, 401],
      act: (tx, uuid) => tx.updateTable('accessKeys').set({ state: 'Disabled' }).where('userUuid', '=', uuid).execute(),
    },
    {
      name: 'an ended session',
      statuses: [401, 200],
      act: (tx, uuid) => tx.deleteFrom('sessions').where('userUuid', '=', uuid).execute(),
    },
  ]

for (const { name, statuses, act } of committed)
  test(`calls that wait for the lock behind ${name} see the change`, async (t) => {
    const { server, accountUuid, clients } = await setUp(t)
    const { database } = server.app.foundation
    const calls = await database.transaction(async (tx) => {
      await database.lock(tx, userLock(accountUuid))
      const pending = Object.values(clients).map((by) => by.post('/v1/tags', { params: { name: by.credential.kind } }))
      // their statements have started before the rows change
      await delay(100)
      await act(tx, accountUuid)
      return { pending }
    })
    assert.deepEqual(await Promise.all(calls.pending.map(async (call) => (await call).status)), statuses)
  })

test('admins who change each other and themselves concurrently do not deadlock', async (t) => {
  const server = await TestServer.start(t)
  const admins = await Promise.all(Array.from({ length: 3 }, () => server.signIn('admin')))
  const keyOf = async (accountUuid: string): Promise<string> => {
    const answer = await server.admin.post('/v1/accesskeys', { params: { accountUuid, userUuid: accountUuid } })
    return (answer.body.inventory as { uuid: string }).uuid
  }
  const keys = await Promise.all(admins.map(({ accountUuid }) => keyOf(accountUuid)))
  const began = performance.now()
  const calls = admins.flatMap((by) => [
    ...admins.map(({ accountUuid }) => by.put(`/v1/users/${accountUuid}/actions`, { updateUser: { role: 'admin' } })),
    ...keys.map((key) => by.put(`/v1/accesskeys/${key}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } })),
    by.post('/v1/tags', { params: { name: by.accountUuid } }),
  ])
  assert.deepEqual([...new Set((await Promise.all(calls)).map(({ status }) => status))], [200])
  // PostgreSQL checks for a deadlock after a second
  assert.ok(performance.now() - began < 1000, `${performance.now() - began} ms`)
})
