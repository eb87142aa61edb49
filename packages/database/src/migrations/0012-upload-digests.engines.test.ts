import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@wharf/testkit'
import { CompiledQuery } from 'kysely'
import { uploadDigests } from './0012-upload-digests.ts'
import { columnTypes } from './column-types.ts'

const uuid = (digit: string): string => digit.repeat(32)

test('configurations that callers had sent with a create are emptied, those of the server remain', async (t) => {
  const database = await testDatabase(t)
  const dates = { createDate: 5, lastOpDate: 5 }
  const plugin = { managementIp: '10.0.0.1', apiPort: 1, isPortGiven: 0, ...dates }
  const secret = '{"password":"hunter2"}'
  const rows: [resource: string, type: string, tag: string, createDate: number, becomes?: string][] = [
    ['a', 'SoftwarePackage', 'uploadConfig::{"name":"a"}', 5],
    ['a', 'SoftwarePackage', `installConfig::${secret}`, 5, 'installConfig::{}'],
    ['a', 'SoftwarePackage', `initConfig::${secret}`, 5, 'initConfig::{}'],
    ['a', 'SoftwarePackage', 'other::installConfig::x', 5],
    ['b', 'SoftwarePackage', 'uploadConfig::{"name":"b"}', 5],
    ['b', 'SoftwarePackage', 'installConfig::{"config":"shown"}', 6],
    ['c', 'ClusterPlugin', `initConfig::${secret}`, 5, 'initConfig::{}'],
    ['d', 'ClusterPlugin', 'initConfig::{"managementIp":"10.0.0.1"}', 6],
    ['e', 'Host', `installConfig::${secret}`, 5, 'installConfig::{}'],
    ['e', 'Host', `uploadConfig::${secret}`, 5, 'uploadConfig::{}'],
  ]
  await database.transaction(async (tx) => {
    await tx
      .insertInto('clusterPlugins')
      .values([
        { ...plugin, uuid: uuid('c'), name: 'c' },
        { ...plugin, uuid: uuid('d'), name: 'd', sealedConfiguration: Buffer.from('sealed') },
      ])
      .execute()
    for (const [index, [resource, resourceType, tag, createDate]] of rows.entries())
      await tx
        .insertInto('systemTags')
        .values({
          uuid: uuid(String(index)),
          resourceUuid: uuid(resource),
          resourceType,
          tag,
          createDate,
          lastOpDate: 5,
        })
        .execute()
    for (const statement of uploadDigests(columnTypes[database.engine]).split(/;\n/))
      if (statement.trimStart().startsWith('update')) await tx.executeQuery(CompiledQuery.raw(statement))
  })
  const found = await database.read.selectFrom('systemTags').select(['uuid', 'tag']).orderBy('uuid').execute()
  assert.deepEqual(
    found.map(({ tag }) => tag),
    rows.map(([, , tag, , becomes]) => becomes ?? tag),
  )
})
