import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configurationInput, emptyForm, formOf, pluginInput } from './cluster-form.ts'
import { componentProblems, networkProblems, softwareProblems } from './form-problems.ts'

const good = {
  ...emptyForm,
  managementIp: '10.0.0.1',
  second: '10.0.0.2',
  third: '10.0.0.3',
  managementNetworkCidr: '10.0.0.0/24',
  publicNetworkCidr: '10.1.0.0/16',
  clusterNetworkCidr: '10.2.0.0/16',
}
const v6 = {
  managementIp: 'fd00::1',
  second: 'fd00::2',
  third: 'fd00:0:0::3',
  managementNetworkCidr: 'fd00::/64',
  publicNetworkCidr: 'fd01::/64',
  clusterNetworkCidr: 'fd02::/64',
}

const accepted: [name: string, change: object][] = [
  ['three nodes and three networks', {}],
  ['equal networks', { publicNetworkCidr: '10.0.0.0/24', clusterNetworkCidr: '10.0.0.0/24' }],
  ['spaces around', { second: ' 10.0.0.2 ', clusterNetworkCidr: ' 10.2.0.0/16' }],
  ['storage nodes in the cluster network', { otherStorageIp: '10.2.0.1, 10.2.0.2\n10.2.255.254' }],
  ['IPv6 everywhere', v6],
]
for (const [name, change] of accepted)
  test(`takes ${name}`, () => assert.deepEqual(networkProblems({ ...good, ...change }), {}))

const refused: [name: string, change: object, field: string, kind: string, value: string][] = [
  ['nothing typed', { third: '' }, 'third', 'required', ''],
  ['host bits', { managementNetworkCidr: '10.0.0.1/24' }, 'managementNetworkCidr', 'hostBits', '10.0.0.0/24'],
  ['host bits in IPv6', { ...v6, clusterNetworkCidr: 'fd00::1/64' }, 'clusterNetworkCidr', 'hostBits', 'fd00::/64'],
  ['an address without a prefix', { publicNetworkCidr: '10.1.0.0' }, 'publicNetworkCidr', 'invalidNetwork', ''],
  ['no network at all', { gatewayNetworkCidr: 'lan' }, 'gatewayNetworkCidr', 'invalidNetwork', ''],
  ['too long a prefix', { publicNetworkCidr: '10.0.0.0/33' }, 'publicNetworkCidr', 'invalidNetwork', ''],
  ['two families', { publicNetworkCidr: 'fd00::/64' }, 'publicNetworkCidr', 'otherFamily', 'IPv4'],
  ['an address outside', { managementIp: '10.0.1.1' }, 'managementIp', 'outside', '10.0.0.0/24'],
  ['another one outside', { third: '10.9.0.3' }, 'third', 'outside', '10.0.0.0/24'],
  ['a name', { second: 'node-2' }, 'second', 'invalidAddress', 'node-2'],
  ['an octet too large', { second: '10.0.0.256' }, 'second', 'invalidAddress', '10.0.0.256'],
  ['the same node twice', { third: '10.0.0.2' }, 'third', 'duplicate', '10.0.0.2'],
  ['the first node again, written otherwise', { ...v6, second: 'fd00:0::0:1' }, 'second', 'duplicate', 'fd00:0::0:1'],
  ['storage outside', { otherStorageIp: '10.0.0.7' }, 'otherStorageIp', 'outside', '10.2.0.0/16'],
  ['storage twice', { otherStorageIp: '10.2.0.7 10.2.0.7' }, 'otherStorageIp', 'duplicate', '10.2.0.7'],
]
for (const [name, change, field, kind, value] of refused)
  test(`refuses ${name}`, () => assert.deepEqual(networkProblems({ ...good, ...change }), { [field]: { kind, value } }))

test('a component needs a name, and a running one also its address and token', () => {
  assert.deepEqual(Object.keys(componentProblems(emptyForm)), ['name'])
  const taken = { ...emptyForm, kind: 'takeover', name: 'old', apiPort: '70000' } as const
  assert.deepEqual(Object.keys(componentProblems(taken)), ['apiPort', 'address', 'adminToken'])
})

for (const [address, isFine] of [
  ['10.0.0.1', true],
  ['fd00::1', true],
  ['node-1.example', true],
  ['999.1.1.1', false],
  ['http://node', false],
] as const)
  test(`${address} is ${isFine ? 'a' : 'no'} place of a component`, () => {
    const taken = { ...emptyForm, kind: 'takeover', name: 'old', adminToken: 't', address } as const
    assert.deepEqual(componentProblems(taken), isFine ? {} : { address: { kind: 'invalidHost', value: address } })
  })

test('empty fields are not sent', () => {
  const { uuid, softwarePackageUuid, ...sent } = configurationInput({ ...good, second: ' 10.0.0.2' }, 'u')
  assert.deepEqual(sent, {
    managementIp: '10.0.0.1',
    otherManagementIp: ['10.0.0.2', '10.0.0.3'],
    managementNetworkCidr: '10.0.0.0/24',
    publicNetworkCidr: '10.1.0.0/16',
    clusterNetworkCidr: '10.2.0.0/16',
  })
  assert.deepEqual(pluginInput({ ...good, name: ' store ' }), { name: 'store', managementIp: '10.0.0.1' })
})

test('a configuration that failed is shown as typed', () => {
  const sent = configurationInput(
    { ...good, softwarePackageUuid: 'p', otherStorageIp: '10.2.0.9', username: 'ann' },
    'u',
  )
  const tag = { gatewayNetworkCidr: sent.publicNetworkCidr, otherStorageIp: [], username: 'admin', ...sent }
  const { uuid, ...again } = configurationInput(formOf(tag), 'u')
  assert.deepEqual({ uuid, ...again }, sent)
})

test('the wizard does not continue with a package that forms no cluster', () => {
  const kind = (softwarePackageUuid: string, canForm?: boolean) =>
    softwareProblems({ ...good, softwarePackageUuid }, canForm).softwarePackageUuid?.kind
  assert.equal(kind('', undefined), 'required')
  assert.equal(kind('p', undefined), undefined)
  assert.equal(kind('p', false), 'cannotForm')
  assert.equal(kind('p', true), undefined)
})
