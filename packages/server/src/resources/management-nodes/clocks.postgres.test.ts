import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, assertFailure, Client, TestNodes, type TestServer, testEngine } from '@wharf/testkit'
import { buildResources } from '../../composition/resources.ts'
import { removeOld } from '../../composition/upkeep.ts'
import { Idempotency } from '../../jobs/idempotency.ts'

const hourMs = 3_600_000

/** Only PostgreSQL can be shared. */
if (testEngine === 'postgres') {
  const off = (ms: number) => ({ nodeClock: { now: () => Date.now() + ms } })
  const each = [{}, off(25 * hourMs), off(-hourMs / 2), off(hourMs / 12)]
  const { servers, admins } = await TestNodes.start({ after }, each.length, each)
  const [first, dayAhead, behind, slightlyAhead] = servers as [TestServer, TestServer, TestServer, TestServer]

  const nodes = async () =>
    (await first.admin.get('/v1/management-nodes')).body.inventories as {
      uuid: string
      status: string
      lastOpDate: string
    }[]

  test('nodes whose clocks are hours off neither count as dead nor mark others as dead', async () => {
    // three heartbeats, the second of which judges
    for (let round = 0; round < 3; round++) {
      const before = await nodes()
      for (let tries = 0; tries < 200; tries++) {
        const now = await nodes()
        if (now.every(({ lastOpDate }, at) => lastOpDate !== before[at]?.lastOpDate)) break
        await delay(50)
      }
    }
    assert.deepEqual(new Set((await nodes()).map(({ status }) => status)), new Set(['Alive']))
  })

  test('a signed call and a session are valid at each of them, and calls are forwarded', async () => {
    const account = { accountName: 'admin', password: first.bootstrap.password }
    for (const [at, { url }] of servers.entries()) {
      const { inventory } = (await admins[at]?.put('/v1/accounts/login', { logInByAccount: account }))?.body ?? {}
      const uuid = (inventory as { uuid: string }).uuid
      for (const [to, { bootstrap, url: other }] of servers.entries()) {
        const query = new URLSearchParams({ managementNodeUuid: bootstrap.managementNodeUuid, directoryPath: '/' })
        const path = `/v1/software-package/directory/usage?${query}`
        for (const client of [new Client(url, { kind: 'session', uuid }), admins[at] as Client]) {
          const answer = await client.get(path)
          assert.equal(answer.status, 200, `from ${at} to ${to}: ${answer.text}`)
        }
        assert.equal((await new Client(other, { kind: 'session', uuid }).get('/v1/tags')).status, 200)
      }
    }
  })

  test('what a node with a wrong clock creates has the time of the database', async () => {
    for (const admin of admins) {
      const { inventory } = (await admin.post('/v1/tags', { params: { name: randomUUID() } })).body
      const createdAt = Date.parse((inventory as { createDate: string }).createDate)
      assert.ok(Math.abs(createdAt - Date.now()) < 30_000, (inventory as { createDate: string }).createDate)
    }
  })

  test('the retention of a node a day ahead removes nothing that others need', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const session = await first.logIn('admin', first.bootstrap.password)
    const [own] = (await first.admin.get('/v1/accesskeys')).body.inventories as Record<string, string>[]
    const params = { accountUuid: own?.accountUuid, userUuid: own?.userUuid }
    const create = () => first.admin.post('/v1/accesskeys', { params }, key)
    const created = await create()
    assert.equal(created.status, 200, created.text)
    const count = async (table: string) =>
      (await first.app.foundation.database.rows(`select count(*) from "${table}"`, [])).lists[0]?.[0]
    const tables = ['idempotencyKeys', 'sessions', 'events', 'jobs', 'accessKeys']
    const before = await Promise.all(tables.map(count))
    for (const { app } of [dayAhead, behind]) {
      const resources = buildResources(app.foundation)
      await removeOld(app.foundation, resources, new Idempotency({ ...app.foundation, ...resources }))
    }
    assert.deepEqual(await Promise.all(tables.map(count)), before)
    assert.equal((await session.get('/v1/tags')).status, 200)
    const uuidOf = ({ body }: Answer) => (body.inventory as { uuid: string }).uuid
    assert.equal(uuidOf(await create()), uuidOf(created))
    assert.equal(await count('accessKeys'), before[4])
  })

  test('/readyz and the log report a clock that is off, and beyond 15 minutes the node is not ready', async () => {
    assert.deepEqual((await first.anonymous.get('/readyz')).body, { status: 'ready' })
    assert.doesNotMatch(first.logText, /the clock of this node/)
    const { status, body } = await slightlyAhead.anonymous.get('/readyz')
    assert.equal(status, 200)
    assert.match(String(body.warnings), /^the clock of this node is 300 s ahead of the database's .* NTP$/)
    const rows = [
      [dayAhead, /the clock of this node is 90000 s ahead of the database's/],
      [behind, /the clock of this node is 1800 s behind the database's/],
    ] as const
    for (const [server, details] of rows) {
      assertFailure(await server.anonymous.get('/readyz'), { status: 503, code: 'SYS.1010', details })
      assert.match(server.logText, details)
      assert.equal(server.logText.match(/"warn".*the clock of this node/g)?.length, 1, 'once, not with each heartbeat')
      assert.equal((await server.anonymous.get('/healthz')).status, 200)
    }
  })
}
