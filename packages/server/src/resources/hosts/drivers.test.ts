import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '@wharf/testkit'
import { HostService } from './service.ts'
import type { HostRow } from './store.ts'

/** A host that nobody has ever reached, and the drivers that would. */
async function setUp(t: TestContext) {
  const server = await TestServer.start(t)
  const { foundation } = server.app
  const hosts = new HostService(foundation)
  t.after(() => hosts.drivers.closeAll())
  const host = { name: 'web-1', driver: 'ssh', address: '127.0.0.1', sshPort: 1, username: 'root' } as const
  const row = await foundation.database.transaction((tx) => hosts.create(tx, host))
  return { server, foundation, hosts, row }
}

test('concurrent callers share the driver of a host', async (t) => {
  const { hosts, row } = await setUp(t)
  const all = await Promise.all(Array.from({ length: 5 }, () => hosts.drivers.of(row)))
  assert.equal(new Set([...all, await hosts.drivers.of(row)]).size, 1)
})

test('a changed host gets another driver, a renamed one does not', async (t) => {
  const { hosts, row } = await setUp(t)
  const of = (change: Partial<HostRow>) => hosts.drivers.of({ ...row, ...change })
  const first = await of({})
  assert.equal(await of({ name: 'web-2', status: 'Connected' }), first)
  const second = await of({ sshPort: 2 })
  assert.notEqual(second, first)
  assert.equal(await of({ sshPort: 2 }), second)
})

test('deleting a host closes its driver, a rolled back deletion does not', async (t) => {
  const { foundation, hosts, row } = await setUp(t)
  const { database } = foundation
  const first = await hosts.drivers.of(row)
  const deletedAndKept = database.transaction(async (tx) => {
    await hosts.delete(tx, row.uuid)
    throw new Error('on second thoughts')
  })
  await assert.rejects(deletedAndKept, /on second thoughts/)
  assert.equal(await hosts.drivers.of(row), first)
  await database.transaction((tx) => hosts.delete(tx, row.uuid))
  assert.notEqual(await hosts.drivers.of(row), first)
})

test('a node closes its connection to a host that was changed elsewhere, and keeps it when only the name has', async (t) => {
  const { foundation, hosts, row } = await setUp(t)
  t.after(hosts.followChanges())
  await hosts.drivers.of(row)
  const change = (columns: Partial<HostRow>, name: string) =>
    foundation.database.transaction((tx) => hosts.change(tx, row.uuid, { name }, columns))
  await change({}, 'renamed')
  await delay(100)
  assert.ok(hosts.drivers.has(row.uuid))
  await change({ address: '127.0.0.2' }, 'moved')
  for (let tries = 0; hosts.drivers.has(row.uuid) && tries < 100; tries++) await delay(20)
  assert.ok(!hosts.drivers.has(row.uuid))
})
