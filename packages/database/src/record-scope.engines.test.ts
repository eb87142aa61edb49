import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventories, isInScope } from '@wharf/contract'
import { newUuid } from '@wharf/platform/ids.ts'
import { insertScopedRecords, testDatabase } from '@wharf/testkit'
import type { Database } from './database.ts'
import { collection } from './query.ts'
import { checkedScope, scopeOf } from './scope-conditions.ts'
import { findHostAddresses, findInside, findOutside, readHostLabels } from './scoped-reads.ts'

const userUuid = newUuid()
const scope = (...texts: string[]) => scopeOf(userUuid, checkedScope(texts, 'scope'))
const web = scope('labels.team=web') ?? assert.fail()
const scopedTypes = inventories.filter(({ scope: rule }) => rule !== undefined && rule !== 'byRole')
const withUuid = scopedTypes.filter(({ scope: rule, schema }) => rule !== 'nobody' && 'uuid' in schema.properties)

const uuidsIn = async (database: Database, table: string, limit = web): Promise<unknown[]> => {
  const record = scopedTypes.find((one) => one.table === table)
  if (record?.table === undefined) throw new Error(`no record in ${table}`)
  const records = collection(record)
  const { inventories: rows, total } = await records.query(database, { scope: limit, replyWithCount: true })
  assert.equal(total, rows?.length)
  return rows?.objects().map(({ uuid }) => uuid) ?? []
}

test('a scope finds the records on its hosts, and no others', async (t) => {
  const database = await testDatabase(t)
  const inside = await insertScopedRecords(database, { name: 'web-1', labels: { team: 'web', zone: 'a' } })
  const outside = await insertScopedRecords(database, { name: 'db-1', labels: { team: 'db' } })
  for (const record of withUuid) {
    const { table = '', events } = record
    assert.deepEqual(await uuidsIn(database, table), [inside[table]], table)
    if (record.table === undefined) assert.fail(record.name)
    const records = collection(record)
    assert.equal((await records.get(database, outside[table] ?? '', { scope: web })).length, 0, table)
    const [found] = (await records.get(database, inside[table] ?? '', { scope: web })).objects()
    assert.equal(found?.uuid, inside[table], table)
    if (events.length === 0) continue
    const subject = { resourceType: String(events[0]), uuid: String(inside[table]) }
    const other = { ...subject, uuid: String(outside[table]) }
    assert.deepEqual([...(await findInside(database, web, [subject, other]))], [subject.uuid], table)
  }
  const all = [...Object.values(inside), ...Object.values(outside), newUuid()]
  const expected = [...withUuid.map(({ table = '' }) => outside[table]), inside.auditDigests, outside.auditDigests]
  assert.deepEqual([...(await findOutside(database, web, all))].sort(), expected.sort())
  assert.deepEqual([...(await findHostAddresses(database, web, ['web-1.example', 'db-1.example']))], ['web-1.example'])

  // a host that changes its labels moves with everything on it
  await database.transaction((tx) =>
    tx.updateTable('hostLabels').set({ labelValue: 'db' }).where('label', '=', 'team').execute(),
  )
  for (const { table = '' } of withUuid) assert.deepEqual(await uuidsIn(database, table), [], table)
})

const conditions: [text: string, hosts: string[]][] = [
  ['labels.team=web', ['web']],
  ['labels.team!=web', ['db', 'none']],
  ['labels.team?=web,db', ['web', 'db']],
  ['labels.team!?=web', ['db', 'none']],
  ['labels.team is null', ['none']],
  ['labels.team not null', ['web', 'db']],
]

test('a scope has the conditions of queries, in statements and in memory', async (t) => {
  const database = await testDatabase(t)
  const labels: Record<string, Record<string, string>> = {
    web: { team: 'web' },
    db: { team: 'db' },
    none: { zone: 'a' },
  }
  const byUuid = new Map<unknown, string>()
  for (const [name, given] of Object.entries(labels))
    byUuid.set((await insertScopedRecords(database, { name, labels: given })).softwarePackages, name)
  for (const [text, expected] of conditions) {
    const limit = scope(text) ?? assert.fail()
    const found = (await uuidsIn(database, 'softwarePackages', limit)).map((uuid) => String(byUuid.get(uuid)))
    assert.deepEqual(found.sort(), expected.toSorted(), text)
    const inMemory = Object.keys(labels).filter((name) => isInScope(limit.conditions, labels[name] ?? {}))
    assert.deepEqual(inMemory.sort(), expected.toSorted(), text)
  }
})

test('a cluster and a rollout are within a scope when all of their hosts are', async (t) => {
  const database = await testDatabase(t)
  const inside = await insertScopedRecords(database, { name: 'web-1', labels: { team: 'web' } })
  const other = await insertScopedRecords(database, { name: 'db-1', labels: { team: 'db' } })
  const { clusterPlugins: clusterUuid = '', rollouts: rolloutUuid = '', softwarePackages, rolloutTargets } = inside
  const change = (work: Parameters<typeof database.transaction>[0]) => database.transaction(work)
  // the second machine of the cluster is a host of others
  await change((tx) => tx.insertInto('clusterNodes').values({ clusterUuid, address: 'db-1.example' }).execute())
  for (const table of ['clusterPlugins', 'thirdPartyPlatforms', 'thirdPartyAlerts'])
    assert.deepEqual(await uuidsIn(database, table), [], table)
  await change((tx) => tx.updateTable('clusterNodes').set({ address: 'unknown.example' }).execute())
  assert.deepEqual(await uuidsIn(database, 'clusterPlugins'), [clusterUuid])
  // the address of the component is that of a host of others
  await change((tx) =>
    tx.updateTable('clusterPlugins').set({ managementIp: 'DB-1.example' }).where('uuid', '=', clusterUuid).execute(),
  )
  assert.deepEqual(await uuidsIn(database, 'clusterPlugins'), [])
  // it belongs to no host
  await change(async (tx) => {
    await tx.updateTable('clusterPlugins').set({ managementIp: 'none', softwarePackageUuid: null }).execute()
    await tx.deleteFrom('clusterPluginAlertPlatforms').execute()
  })
  for (const table of ['clusterPlugins', 'thirdPartyPlatforms', 'thirdPartyAlerts', 'deliveries'])
    assert.deepEqual(await uuidsIn(database, table), [], table)

  const target = await database.read
    .selectFrom('rolloutTargets')
    .selectAll()
    .where('uuid', '=', String(rolloutTargets))
    .executeTakeFirstOrThrow()
  const second = { ...target, uuid: newUuid(), hostUuid: String(other.hosts), isOpen: 0 }
  await change((tx) => tx.insertInto('rolloutTargets').values(second).execute())
  for (const table of ['rollouts', 'rolloutWaves', 'rolloutTargets'])
    assert.deepEqual(await uuidsIn(database, table), [], table)
  // without hosts it belongs to its user
  await change((tx) => tx.deleteFrom('rolloutTargets').where('rolloutUuid', '=', rolloutUuid).execute())
  assert.deepEqual(await uuidsIn(database, 'rollouts'), [])
  await change((tx) => tx.updateTable('rollouts').set({ userUuid }).where('uuid', '=', rolloutUuid).execute())
  assert.deepEqual(await uuidsIn(database, 'rollouts'), [rolloutUuid])

  // a package that is only on backup storage belongs to everyone, and a job without a host to its user
  await change(async (tx) => {
    await tx.updateTable('jobs').set({ hostUuid: null }).execute()
    await tx
      .updateTable('softwarePackages')
      .set({ hostUuid: null })
      .where('uuid', '=', String(other.softwarePackages))
      .execute()
  })
  assert.deepEqual(
    (await uuidsIn(database, 'softwarePackages')).sort(),
    [softwarePackages, other.softwarePackages].sort(),
  )
  assert.deepEqual(await uuidsIn(database, 'jobs'), [])
  await change((tx) => tx.updateTable('jobs').set({ userUuid }).where('uuid', '=', String(inside.jobs)).execute())
  assert.deepEqual(await uuidsIn(database, 'jobs'), [inside.jobs])
})

test('an audit entry of the caller is within its scope only as the record that it names, or when it names none', async (t) => {
  const database = await testDatabase(t)
  const inside = await insertScopedRecords(database, { name: 'web-1', labels: { team: 'web' } })
  await insertScopedRecords(database, { name: 'db-1', labels: { team: 'db' } })
  const { auditEntries: others } = await insertScopedRecords(database, { name: 'db-2', labels: { team: 'db' } })
  // a key may have a narrower scope than the user whose entries these are
  await database.transaction((tx) => tx.updateTable('auditEntries').set({ userUuid }).execute())
  assert.deepEqual(await uuidsIn(database, 'auditEntries'), [inside.auditEntries])
  const ofNoRecord = { resourceUuid: null, resourceType: null }
  await database.transaction((tx) =>
    tx.updateTable('auditEntries').set(ofNoRecord).where('uuid', '=', String(others)).execute(),
  )
  assert.deepEqual((await uuidsIn(database, 'auditEntries')).sort(), [inside.auditEntries, others].sort())
})

test('before a record is deleted, the labels of its hosts are known', async (t) => {
  const database = await testDatabase(t)
  const uuids = await insertScopedRecords(database, { name: 'web-1', labels: { team: 'web' } })
  const read = (resourceType: string, table: string) =>
    database.transaction((tx) => readHostLabels(database, tx, { resourceType, uuid: String(uuids[table]) }))
  for (const { table = '', events } of withUuid.filter((record) => record.table !== 'jobs' && record.events.length > 0))
    assert.equal(await read(String(events[0]), table), '[{"team":"web"}]', table)
  assert.equal(await read('Host', 'rollouts'), null)
  await database.transaction((tx) => tx.updateTable('softwarePackages').set({ hostUuid: null }).execute())
  assert.equal(await read('SoftwarePackage', 'softwarePackages'), '[]')
})

const refused: [text: string, RegExp][] = [
  ['name=web', /params\.scope: "name=web" is not a condition on a label of hosts; write labels\.<name>/],
  ['labels.team', /"labels\.team" is not a condition/],
  ['labels.Team=web', /"labels\.Team" names no label/],
  ['labels.team~=web%', /~= in "labels\.team~=web%" is not an operator of scopes/],
  ['labels.team>web', /> in .* is not an operator of scopes/],
]
for (const [text, expected] of refused)
  test(`${text} is not a scope`, () => assert.throws(() => checkedScope([text], 'params.scope'), { message: expected }))

test('conditions are stored in one form, each once', () => {
  const texts = ['labels.team = web', 'labels.team=web', 'labels.zone is not null']
  assert.deepEqual(checkedScope(texts, 'scope'), ['labels.team=web', 'labels.zone not null'])
})
