import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterOn, parseConfiguration } from './configuration.ts'

const configuration = {
  softwarePackageUuid: 'p1',
  managementIp: '10.0.0.1',
  managementNetworkCidr: '10.0.0.0/24',
  publicNetworkCidr: '10.1.0.0/24',
  clusterNetworkCidr: '10.2.0.0/24',
  gatewayNetworkCidr: '10.1.0.0/24',
  otherManagementIp: ['10.0.0.2', '10.0.0.3'],
  otherStorageIp: ['10.2.0.9'],
  username: 'admin',
}

test('reads the configuration of a tag', () => {
  assert.deepEqual(parseConfiguration(`initConfig::${JSON.stringify(configuration)}`), configuration)
})

test('storage nodes are optional', () => {
  const { otherStorageIp: _, ...without } = configuration
  assert.deepEqual(parseConfiguration(`initConfig::${JSON.stringify(without)}`)?.otherStorageIp, [])
})

const others: [name: string, tag: string | undefined][] = [
  ['no tag', undefined],
  ['an empty tag', ''],
  ['another tag', `installConfig::${JSON.stringify(configuration)}`],
  ['a tag that is not JSON', 'initConfig::{'],
  ['a configuration without nodes', 'initConfig::{"softwarePackageUuid":"p1"}'],
  ['a configuration without a package', 'initConfig::{"otherManagementIp":[]}'],
  ['a configuration of another form', 'initConfig::[]'],
]
for (const [name, tag] of others) test(`${name} is ignored`, () => assert.equal(parseConfiguration(tag), undefined))

const configurations = new Map([
  ['c1', { softwarePackageUuid: 'p1' }],
  ['c2', { softwarePackageUuid: 'p2' }],
])
const names = new Map([['c1', 'storage']])

test('a package is used by the cluster that was configured with it', () => {
  assert.equal(clusterOn('p1', { configurations, names, except: undefined }), 'storage')
  assert.equal(clusterOn('p3', { configurations, names, except: undefined }), undefined)
})

test('a cluster whose name is unknown is shown by its uuid', () => {
  assert.equal(clusterOn('p2', { configurations, names, except: undefined }), 'c2')
})

test('the cluster that is configured again does not count', () => {
  assert.equal(clusterOn('p1', { configurations, names, except: 'c1' }), undefined)
  assert.equal(clusterOn('p1', { configurations, names, except: 'c2' }), 'storage')
})
