import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@wharf/testkit'
import { fillClusterNodes } from './0034-scopes.ts'

test('existing clusters get the addresses of their configuration, by which they belong to hosts', async (t) => {
  const database = await testDatabase(t)
  const [uuid, broken] = ['a'.repeat(32), 'b'.repeat(32)]
  const dates = { createDate: 1, lastOpDate: 1 }
  const config = { otherManagementIp: ['10.0.0.2', 'FD00::3'], otherStorageIp: ['10.1.0.2'], username: 'admin' }
  const tags = { [uuid]: `initConfig::${JSON.stringify(config)}`, [broken]: 'initConfig::{' }
  await database.transaction(async (tx) => {
    for (const [resourceUuid, tag] of Object.entries(tags)) {
      const plugin = { uuid: resourceUuid, name: 'c', managementIp: '10.0.0.1', apiPort: 1, isPortGiven: 1, ...dates }
      await tx.insertInto('clusterPlugins').values(plugin).execute()
      const row = { uuid: resourceUuid, resourceUuid, resourceType: 'ClusterPlugin' as const, tag, ...dates }
      await tx.insertInto('systemTags').values(row).execute()
    }
    await fillClusterNodes(tx)
  })
  const found = await database.read.selectFrom('clusterNodes').selectAll().orderBy('address').execute()
  assert.deepEqual(
    found.map(({ clusterUuid, address }) => [clusterUuid, address]),
    ['10.0.0.2', '10.1.0.2', 'fd00::3'].map((address) => [uuid, address]),
  )
})
