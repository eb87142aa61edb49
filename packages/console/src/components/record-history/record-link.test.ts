import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventories, operations, queryAuditEntry, queryHost, queryUser } from '@wharf/contract'
import { historyLinkOfPage, recordLink, typeWithoutPage } from './record-link.ts'

test('a record is linked to its page, or to its history if its type has no page', () => {
  assert.equal(recordLink({ resourceType: 'Host', resourceUuid: 'a' }), '#/hosts/a')
  assert.equal(recordLink({ resourceType: 'ThirdPartyPlatform', resourceUuid: 'a' }), '#/alerts/platforms/a')
  for (const type of ['AccessKey', 'MaintenanceWindow', 'Tag', 'User', 'toString'])
    assert.equal(recordLink({ resourceType: type, resourceUuid: 'a' }), `#/audit/history?type=${type}&uuid=a`)
  for (const resourceType of ['', null, undefined])
    assert.equal(recordLink({ resourceType, resourceUuid: 'a' }), undefined)
  assert.equal(recordLink({ resourceType: 'Host', resourceUuid: null }), undefined)
})

test('the page of a deleted record has a link to its history', () => {
  assert.equal(historyLinkOfPage(['hosts', 'a']), '#/audit/history?type=Host&uuid=a')
  assert.equal(historyLinkOfPage(['alerts', 'platforms', 'a']), '#/audit/history?type=ThirdPartyPlatform&uuid=a')
  for (const path of [[], ['hosts'], ['audit', 'a'], ['hosts', 'a', 'b']])
    assert.equal(historyLinkOfPage(path), undefined)
})

test('every type with a page is a type of the API', () => {
  const types = new Set(inventories.flatMap(({ events }) => events as readonly string[]))
  const linked = [
    'Account',
    'ApiJob',
    'BackupStorage',
    'ChatAppEndpoint',
    'ClusterPlugin',
    'Delivery',
    'Host',
    'Release',
  ]
  for (const type of [...linked, 'Rollout', 'SoftwarePackage', 'ThirdPartyAlert', 'ThirdPartyPlatform'])
    assert.ok(types.has(type), type)
})

test('every list of records without a page has links to their histories', () => {
  assert.equal(typeWithoutPage(queryUser), 'User')
  for (const operation of [queryHost, queryAuditEntry, undefined]) assert.equal(typeWithoutPage(operation), undefined)
  const types = operations.map((operation) => typeWithoutPage(operation))
  for (const type of ['AccessKey', 'ChatAppAtPerson', 'MaintenanceWindow', 'Session', 'Tag', 'User'])
    assert.ok(types.includes(type), type)
})
