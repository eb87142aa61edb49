import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MovingClock, testDatabase } from '@wharf/testkit'
import type { HostDriver } from './driver.ts'
import type { HostDrivers } from './drivers.ts'
import { assignedNode, HostProbeSchedule } from './host-probe-schedule.ts'
import { type HostRow, HostStore } from './store.ts'

const uuidOf = (index: number): string => index.toString(16).padStart(8, '0').repeat(4)

test('nodes share the hosts, and when one leaves only its share moves', () => {
  const nodes = ['a', 'b', 'c'].map((letter) => letter.repeat(32))
  const hosts = Array.from({ length: 3000 }, (_, index) => uuidOf(index))
  const before = hosts.map((host) => assignedNode(host, nodes))
  for (const node of nodes) {
    const share = before.filter((watcher) => watcher === node).length
    assert.ok(share > 850 && share < 1150, `${share} of 3000`)
  }
  const [, ...left] = nodes
  const after = hosts.map((host) => assignedNode(host, left.toReversed()))
  for (const [index, watcher] of after.entries())
    if (before[index] !== nodes[0]) assert.equal(watcher, before[index], 'a host stays with a node that stays')
})

async function watched(t: TestContext, count: number) {
  const database = await testDatabase(t)
  const clock = new MovingClock()
  const nodeUuid = 'a'.repeat(32)
  const empty = { description: null, hostName: null, sn: null, manufacturer: null, product: null, system: null }
  const none = { architecture: null, totalCapacity: 0, availableCapacity: 0, hostKey: null, sealedPrivateKey: null }
  const ssh = {
    driver: 'ssh',
    isPackagesPathGiven: 0,
    labels: '{}',
    sshPort: 22,
    username: 'root',
    hostKeyFingerprint: null,
    managementNodeUuid: null,
  } as const
  const rest = {
    ...empty,
    ...none,
    ...ssh,
    state: 'Enabled',
    status: 'Connected',
    createDate: 0,
    lastOpDate: 0,
  } as const
  await database.transaction(async (tx) => {
    for (let index = 0; index < count; index++)
      await tx
        .insertInto('hosts')
        .values({ ...rest, uuid: uuidOf(index), name: `host-${index}`, address: '192.0.2.1' })
        .execute()
  })
  const open = new Map<string, { isConnected: boolean }>()
  const drivers = {
    of: async ({ uuid }: HostRow) => {
      const driver = open.get(uuid) ?? { isConnected: false }
      open.set(uuid, driver)
      return driver as HostDriver
    },
  } as HostDrivers
  let probed: string[] = []
  const probe = async ({ uuid }: HostRow) => {
    probed.push(uuid)
    for (const driver of [open.get(uuid)]) if (driver) driver.isConnected = true
  }
  const probes = new HostProbeSchedule({ database, store: new HostStore(database), clock, nodeUuid, drivers, probe })
  const round = async (): Promise<string[]> => {
    probed = []
    await probes.run()
    return probed.sort()
  }
  return { database, clock, open, probes, round }
}

test('a host with an open connection is not probed, a host whose connection closed is probed at once', async (t) => {
  const { clock, open, probes, round } = await watched(t, 5)
  assert.equal(probes.lastRoundSeconds, undefined)
  assert.equal((await round()).length, 5)
  assert.ok((probes.lastRoundSeconds ?? -1) >= 0)
  clock.advance(30_000)
  assert.deepEqual(await round(), [])
  for (const driver of [open.get(uuidOf(3))]) if (driver) driver.isConnected = false
  assert.deepEqual(await round(), [uuidOf(3)])
})

test('a Disconnected host is probed in every round, also with an open connection', async (t) => {
  const { database, round } = await watched(t, 2)
  await round()
  const away = { status: 'Disconnected' } as const
  await database.transaction((tx) => tx.updateTable('hosts').set(away).where('uuid', '=', uuidOf(1)).execute())
  assert.deepEqual(await round(), [uuidOf(1)])
  assert.deepEqual(await round(), [uuidOf(1)])
})

test('every connected host is probed within five minutes, and not all in one round', async (t) => {
  const { clock, round } = await watched(t, 5)
  const rounds: number[] = []
  await round()
  for (let at = 30_000; at <= 300_000; at += 30_000) {
    clock.advance(30_000)
    rounds.push((await round()).length)
  }
  assert.ok(rounds.reduce((sum, one) => sum + one) >= 5, rounds.join(' '))
  assert.deepEqual(rounds.slice(0, 4), [0, 0, 0, 0])
})
