import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfiguration } from './configuration.ts'

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
