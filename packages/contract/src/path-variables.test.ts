import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations.ts'
import { pathVariableNames } from './path-variables.ts'

test('each path variable has a long name, the one that other operations call the record by', () => {
  const longNames = operations
    .filter(({ path }) => path.includes('{uuid}'))
    .map(({ path }) => [...pathVariableNames(path).keys()].filter((name) => name !== 'uuid').join())
  assert.deepEqual([...new Set(longNames)].toSorted(), [
    'accessKeyUuid',
    'accountUuid',
    'alertUuid',
    'atPersonUuid',
    'auditDigestUuid',
    'auditEntryUuid',
    'backupStorageUuid',
    'clusterPluginUuid',
    'deliveryUuid',
    'endpointUuid',
    'hostUuid',
    'jobUuid',
    'managementNodeUuid',
    'platformUuid',
    'releaseUuid',
    'rolloutUuid',
    'sessionUuid',
    'softwarePackageUuid',
    'systemTagUuid',
    'tagUuid',
    'userTagUuid',
    'userUuid',
    'vmInstanceUuid',
    'windowUuid',
  ])
})

test('no operation declares a field that a path variable could be repeated under', () => {
  for (const { name, path, fields } of operations)
    for (const repeated of pathVariableNames(path).keys())
      assert.ok(!Object.hasOwn(fields, repeated), `${name}.${repeated}`)
})
