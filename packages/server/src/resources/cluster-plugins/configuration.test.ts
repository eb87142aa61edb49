import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveConfiguration } from './configuration.ts'

const good = {
  uuid: 'a'.repeat(32),
  softwarePackageUuid: 'b'.repeat(32),
  managementIp: '10.0.0.1',
  otherManagementIp: ['10.0.0.2', '10.0.0.3'],
  managementNetworkCidr: '10.0.0.0/24',
  publicNetworkCidr: '10.1.0.0/16',
  clusterNetworkCidr: '10.2.0.0/16',
}
const standard = { managementIp: '10.0.0.9', password: () => 'made up' }
const check = (change: object) => resolveConfiguration({ ...good, ...change }, standard)

test('omitted fields get their defaults', () => {
  const { managementIp: _, ...rest } = good
  assert.deepEqual(resolveConfiguration(rest, standard), {
    managementIp: '10.0.0.9',
    managementNetworkCidr: '10.0.0.0/24',
    publicNetworkCidr: '10.1.0.0/16',
    clusterNetworkCidr: '10.2.0.0/16',
    gatewayNetworkCidr: '10.1.0.0/16',
    otherManagementIp: ['10.0.0.2', '10.0.0.3'],
    otherStorageIp: [],
    username: 'admin',
    password: 'made up',
  })
})

const accepted: [name: string, change: object][] = [
  ['equal networks', { publicNetworkCidr: '10.0.0.0/24', clusterNetworkCidr: '10.0.0.0/24' }],
  ['nested networks', { publicNetworkCidr: '10.0.0.0/8' }],
  ['storage nodes in the cluster network', { otherStorageIp: ['10.2.0.1', '10.2.255.254'] }],
  [
    'IPv6 everywhere',
    {
      managementIp: 'fd00::1',
      otherManagementIp: ['fd00::2', 'fd00:0:0::3'],
      managementNetworkCidr: 'fd00::/64',
      publicNetworkCidr: 'fd01::/64',
      clusterNetworkCidr: 'fd02::/64',
    },
  ],
]
for (const [name, change] of accepted) test(`accepts ${name}`, () => void check(change))

const refused: [name: string, change: object, message: RegExp][] = [
  [
    'host bits',
    { managementNetworkCidr: '10.0.0.1/24' },
    /managementNetworkCidr has host bits set; the network is 10\.0\.0\.0\/24/,
  ],
  [
    'host bits in IPv6',
    { clusterNetworkCidr: 'fd00::1/64' },
    /clusterNetworkCidr has host bits set; the network is fd00::\/64/,
  ],
  ['an address without a prefix', { publicNetworkCidr: '10.1.0.0' }, /publicNetworkCidr must be a network/],
  ['no network at all', { gatewayNetworkCidr: 'lan' }, /gatewayNetworkCidr must be a network/],
  ['too long a prefix', { publicNetworkCidr: '10.0.0.0/33' }, /publicNetworkCidr must be a network/],
  ['two families', { publicNetworkCidr: 'fd00::/64' }, /all networks must be IPv4, or all IPv6/],
  [
    'an address outside',
    { managementIp: '10.0.1.1' },
    /managementIp contains 10\.0\.1\.1, which is not in managementNetworkCidr 10\.0\.0\.0\/24/,
  ],
  ['another one outside', { otherManagementIp: ['10.0.0.2', '10.9.0.3'] }, /otherManagementIp contains 10\.9\.0\.3/],
  [
    'a name instead of an address',
    { otherManagementIp: ['node-2', '10.0.0.3'] },
    /otherManagementIp contains "node-2", which is not an address/,
  ],
  ['one other node', { otherManagementIp: ['10.0.0.2'] }, /otherManagementIp must contain exactly two addresses/],
  ['the same node twice', { otherManagementIp: ['10.0.0.2', '10.0.0.2'] }, /must be different addresses/],
  ['the first node again', { otherManagementIp: ['10.0.0.1', '10.0.0.2'] }, /must be different addresses/],
  [
    'storage outside',
    { otherStorageIp: ['10.0.0.7'] },
    /otherStorageIp contains 10\.0\.0\.7, which is not in clusterNetworkCidr/,
  ],
  ['storage twice', { otherStorageIp: ['10.2.0.7', '10.2.0.7'] }, /otherStorageIp must be different addresses/],
]
for (const [name, change, message] of refused)
  test(`refuses ${name}`, () => assert.throws(() => check(change), { code: 'SYS.1007', message }))
