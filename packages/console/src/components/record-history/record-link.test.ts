import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventories } from '@wharf/contract'
import { recordLink } from './record-link.ts'

test('a record is linked if its type has a page', () => {
  assert.equal(recordLink({ resourceType: 'Host', resourceUuid: 'a' }), '#/hosts/a')
  assert.equal(recordLink({ resourceType: 'ThirdPartyPlatform', resourceUuid: 'a' }), '#/alerts/platforms/a')
  for (const resourceType of ['Tag', 'toString', '', null, undefined])
    assert.equal(recordLink({ resourceType, resourceUuid: 'a' }), undefined)
  assert.equal(recordLink({ resourceType: 'Host', resourceUuid: null }), undefined)
})

test('every type with a page is a type of the API', () => {
  const types = new Set(inventories.flatMap(({ events }) => events as readonly string[]))
  const linked = ['Account', 'ApiJob', 'BackupStorage', 'ChatAppEndpoint', 'ClusterPlugin', 'Host', 'Release']
  for (const type of [...linked, 'Rollout', 'SoftwarePackage', 'ThirdPartyAlert', 'ThirdPartyPlatform'])
    assert.ok(types.has(type), type)
})
