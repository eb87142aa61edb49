import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from '@wharf/platform/constant-time.ts'
import {
  assertFailure,
  Client,
  DatabaseProxy,
  EventReader,
  reverseCleanup,
  serverEnvironment,
  TestServer,
  testEngine,
} from '@wharf/testkit'
import { sql } from 'kysely'

/** The guarantee. */
const promisedMs = 1000
const pollMs = 10

/** Two nodes on one database; the second reaches it through a gate. */
async function startNodes() {
  const cleanup = reverseCleanup({ after })
  const environment = await serverEnvironment(cleanup)
  const first = await TestServer.open(environment)
  cleanup.after(() => first.app.close())
  const gate = await DatabaseProxy.to(environment.WHARF_DATABASE_URL ?? '', cleanup)
  const second = await TestServer.open({
    ...environment,
    WHARF_DATABASE_URL: gate.url,
    WHARF_DATA: join(dirname(environment.WHARF_DATA ?? ''), 'second'),
  })
  cleanup.after(() => second.app.close())
  return { first, second, gate }
}

/** An operator whom both nodes have in memory. */
async function operator({ first, second }: { first: TestServer; second: TestServer }) {
  const { accountUuid, credential } = await first.signIn('operator')
  const params = { accountUuid, userUuid: accountUuid }
  const key = (await first.admin.post('/v1/accesskeys', { params })).body.inventory as Record<string, string>
  const { uuid: keyUuid = '', AccessKeyID: id = '', AccessKeySecret: secret = '' } = key
  const bySession = new Client(second.url, credential)
  const byKey = new Client(second.url, { kind: 'key', id, secret })
  for (const client of [bySession, byKey]) assert.equal(await attempt(client), 404)
  const sessionUuid = (credential as { uuid: string }).uuid
  return { first, accountUuid, keyUuid, sessionUuid, bySession, byKey }
}
type Operator = Awaited<ReturnType<typeof operator>>

/** DELETE of a missing tag: 404 means that the caller is allowed to. */
const attempt = async (client: Client): Promise<number> => (await client.delete(`/v1/tags/${'f'.repeat(32)}`)).status

/** A call that no operator may make. It is rejected without a database read when the operator is cached. */
const attemptTooMuch = async (client: Client): Promise<number> =>
  (await client.delete(`/v1/users/${'f'.repeat(32)}`)).status

/** The time from now until the caller gets this status. */
async function timeUntil(status: number, client: Client, call = attempt): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 5 * promisedMs) {
    if ((await call(client)) === status) return performance.now() - startedAt
    await delay(pollMs)
  }
  throw new Error(`still not ${status} after ${5 * promisedMs} ms`)
}

const disableKey = ({ first, keyUuid }: Operator) =>
  first.admin.put(`/v1/accesskeys/${keyUuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } })
const endSession = ({ first, sessionUuid }: Operator) => first.anonymous.delete(`/v1/accounts/sessions/${sessionUuid}`)
const endListedSession = ({ first, sessionUuid }: Operator) =>
  first.admin.put(`/v1/accounts/sessions/${sha256(sessionUuid).slice(0, 32)}/actions`, { endSession: {} })
const takeRole = ({ first, accountUuid }: Operator) =>
  first.admin.put(`/v1/users/${accountUuid}/actions`, { updateUser: { role: 'reader' } })

const rows: { name: string; act: (who: Operator) => Promise<unknown>; session?: number; key?: number }[] = [
  { name: 'a disabled key', act: disableKey, key: 401 },
  { name: 'a deleted key', act: ({ first, keyUuid }) => first.admin.delete(`/v1/accesskeys/${keyUuid}`), key: 401 },
  { name: 'an ended session', act: endSession, session: 401 },
  { name: 'a session that an admin ended', act: endListedSession, session: 401 },
  { name: 'a role that was taken away', act: takeRole, session: 403, key: 403 },
  {
    name: 'a changed password',
    act: ({ first, accountUuid }) =>
      first.admin.put(`/v1/accounts/${accountUuid}/actions`, { updateAccount: { password: 'another password' } }),
    session: 401,
  },
  {
    name: 'a deleted account',
    act: ({ first, accountUuid }) => first.admin.delete(`/v1/accounts/${accountUuid}`),
    session: 401,
    key: 401,
  },
]

/** The nodes reconnect their listeners half a second later. */
async function cutListeners({ first }: Operator): Promise<void> {
  const { database } = first.app.foundation
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`.execute(database.read)
}

if (testEngine === 'postgres') {
  const nodes = await startNodes()

  for (const { name, act, session, key } of rows) {
    for (const listening of [true, false]) {
      const how = listening ? '' : ', also when the notifications are lost'
      test(`${name} is refused on the other node within a second${how}`, async () => {
        const who = await operator(nodes)
        if (!listening) await cutListeners(who)
        await act(who)
        const took = await Promise.all([
          session === undefined ? 0 : timeUntil(session, who.bySession),
          key === undefined ? 0 : timeUntil(key, who.byKey),
        ])
        assert.ok(Math.max(...took) < promisedMs, `it took ${took} ms`)
        if (session === undefined) assert.equal(await attempt(who.bySession), 404)
        if (key === undefined) assert.equal(await attempt(who.byKey), 404)
      })
    }
  }

  test('a stream on the other node is closed within a second', async () => {
    const who = await operator(nodes)
    const stream = new EventReader(who.bySession, '/v1/events')
    assert.equal(await stream.status, 200)
    const timer = setTimeout(() => stream.stop(), 5 * promisedMs)
    await endSession(who)
    const startedAt = performance.now()
    for await (const _ of stream);
    clearTimeout(timer)
    assert.ok(performance.now() - startedAt < promisedMs)
  })

  test('a node that lost its database trusts no cached credential for more than a second', async () => {
    const { bySession, byKey } = await operator(nodes)
    assert.deepEqual([await attemptTooMuch(bySession), await attemptTooMuch(byKey)], [403, 403])
    await nodes.gate.close()
    const took = await Promise.all([bySession, byKey].map((client) => timeUntil(503, client, attemptTooMuch)))
    assert.ok(Math.max(...took) < promisedMs, `it took ${took} ms`)
    assertFailure(await byKey.get('/v1/tags'), { status: 503, code: 'SYS.1010' })
    await nodes.gate.open()
    await Promise.all([bySession, byKey].map((client) => timeUntil(404, client)))
  })

  test('a node that receives no events any more trusts no cached credential for more than a second', async () => {
    const who = await operator(nodes)
    assert.equal(await attemptTooMuch(who.byKey), 403)
    nodes.gate.freeze()
    const startedAt = performance.now()
    let trustedFor = 0
    try {
      await disableKey(who)
      let status = 403
      while (status === 403 && trustedFor < 5 * promisedMs) {
        status = await attemptTooMuch(who.byKey)
        if (status === 403) trustedFor = performance.now() - startedAt
      }
      assert.ok(trustedFor < promisedMs, `it was trusted for ${trustedFor} ms`)
      assert.equal(status, 503)
    } finally {
      await nodes.gate.close()
      await nodes.gate.open()
    }
    await timeUntil(404, who.bySession)
    assert.equal(await attempt(who.byKey), 401)
  })
}
