import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PackageStatus } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { newSequentialUuid, shareOf } from '@wharf/platform/ids.ts'
import { MovingClock, testDatabase } from '@wharf/testkit'
import { firstVerification, nextVerification, VerificationSchedule } from './verification-schedule.ts'

const time = { now: 1_000_000, intervalMs: 1000 }
const uuidOf = (index: number): string => index.toString(16).padStart(32, '0')

test('packages without a date are spread over the interval', () => {
  const uuids = Array.from({ length: 100 }, newSequentialUuid)
  const dates = uuids.map((uuid) => firstVerification({ uuid, lastVerifiedDate: null }, time))
  for (const start of [0, 250, 500, 750]) {
    const inQuarter = dates.filter((date) => date >= time.now + start && date < time.now + start + 250)
    assert.ok(inQuarter.length > 5, `${inQuarter.length} of 100 from ${start}`)
  }
})

test('a package that was just verified is due an interval later', () => {
  assert.equal(firstVerification({ uuid: uuidOf(5), lastVerifiedDate: time.now - 100 }, time), time.now + 900)
  const longAgo = firstVerification({ uuid: uuidOf(5), lastVerifiedDate: 1 }, time)
  assert.ok(longAgo > time.now && longAgo < time.now + time.intervalMs)
})

test('dates keep their distance, and a late one does not repeat what was missed', () => {
  assert.equal(nextVerification(time.now - 10, time), time.now + 990)
  assert.equal(nextVerification(time.now - 10_000, time), time.now + 1000)
})

/** Hosts by name, with the node that alone reaches them. */
const insertHosts = (database: Database, hosts: Record<string, string | null>) =>
  database.transaction(async (tx) => {
    const columns = { address: '192.0.2.1', state: 'Enabled', status: 'Connected', totalCapacity: 0 } as const
    const rest = { availableCapacity: 0, isPackagesPathGiven: 0, labels: '{}', createDate: 0, lastOpDate: 0 }
    for (const [name, managementNodeUuid] of Object.entries(hosts))
      await tx
        .insertInto('hosts')
        .values({ uuid: name, name, driver: 'local', managementNodeUuid, ...columns, ...rest })
        .execute()
  })

type NewPackage = { uuid: string; name: string; hostUuid: string; status: PackageStatus; nextVerifyDate?: number }

const insertPackages = (database: Database, rows: readonly NewPackage[]) =>
  database.transaction(async (tx) => {
    const times = { createDate: 0, lastOpDate: 0 }
    const values = rows.map((row) => ({ type: 'demo', installPath: `/${row.name}`, size: 1, ...row, ...times }))
    await tx.insertInto('softwarePackages').values(values).execute()
  })

test('the overdue packages of a lost node do not displace those of the others', async (t) => {
  const database = await testDatabase(t)
  const clock = new MovingClock()
  await insertHosts(database, { lost: 'lost-node', own: 'node', shared: null })
  const lost = [...Array(500).keys()].map((index) => ({ uuid: uuidOf(index), name: `lost-${index}` }))
  const installed = { status: 'Installed', nextVerifyDate: 1 } as const
  await insertPackages(
    database,
    lost.map((one) => ({ ...one, hostUuid: 'lost', ...installed })),
  )
  const reached = ['own', 'shared'].map((hostUuid) => ({ uuid: hostUuid, name: hostUuid, hostUuid, ...installed }))
  await insertPackages(database, reached)
  const due = await new VerificationSchedule({ database, clock, nodeUuid: 'node' }).listDue()
  assert.deepEqual(due.map(({ uuid }) => uuid).sort(), ['own', 'shared'])
})

test('nodes share the packages: each is claimed once per interval, and only if it can be verified', async (t) => {
  const database = await testDatabase(t)
  const clock = new MovingClock()
  const names = ['installed', 'initialized', 'unverifiable', 'uploaded']
  await insertHosts(database, { web: null })
  await insertPackages(
    database,
    names.map((name, index) => ({
      uuid: uuidOf(index),
      name,
      hostUuid: 'web',
      status: name === 'uploaded' ? 'Uploaded' : name === 'initialized' ? 'Initialized' : 'Installed',
    })),
  )
  const nodes = ['a', 'b'].map((nodeUuid) => new VerificationSchedule({ database, clock, nodeUuid }))
  const intervalMs = 10_000
  /** The packages that the nodes claim when they are due, by node. */
  const round = async (): Promise<string[][]> => {
    for (const node of nodes) await node.spread(intervalMs, ({ name }) => name !== 'unverifiable')
    const due = await Promise.all(nodes.map((node) => node.listDue()))
    return Promise.all(
      nodes.map(async (node, index) => {
        const claims = (due[index] ?? []).map(async (one) => ((await node.claim(one, intervalMs)) ? [one.uuid] : []))
        return (await Promise.all(claims)).flat()
      }),
    )
  }
  const dueAfter = (uuid: string): number => Math.floor(shareOf(uuid) * intervalMs)
  const both = [uuidOf(0), uuidOf(1)].sort((one, other) => dueAfter(one) - dueAfter(other))
  const [first = 0, second = 0] = both.map(dueAfter)
  assert.deepEqual((await round()).flat(), [])
  clock.advance(first)
  assert.deepEqual((await round()).flat(), both.slice(0, 1))
  clock.advance(second - first)
  assert.deepEqual((await round()).flat(), both.slice(1))
  clock.advance(first + intervalMs - second - 1)
  assert.deepEqual((await round()).flat(), [])
  clock.advance(intervalMs)
  assert.deepEqual((await round()).flat().sort(), both.toSorted())
  // with a shorter interval the dates are moved
  await nodes[0]?.spread(100, () => true)
  clock.advance(101)
  assert.deepEqual((await nodes[1]?.listDue())?.map(({ uuid }) => uuid).sort(), both.toSorted())
})
