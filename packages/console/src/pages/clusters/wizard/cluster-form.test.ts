import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configurationInput, emptyForm, formOf, pluginInput, storageAddresses } from './cluster-form.ts'

const form = {
  ...emptyForm,
  name: ' storage ',
  softwarePackageUuid: 'p1',
  managementIp: ' 10.0.0.1 ',
  second: '10.0.0.2',
  third: '10.0.0.3',
  managementNetworkCidr: '10.0.0.0/24',
  publicNetworkCidr: '10.1.0.0/24',
  clusterNetworkCidr: '10.2.0.0/24',
}

test('a new cluster is added with its first node', () => {
  assert.deepEqual(pluginInput(form), { name: 'storage', managementIp: '10.0.0.1' })
  assert.deepEqual(pluginInput({ ...form, apiPort: '8443' }), {
    name: 'storage',
    managementIp: '10.0.0.1',
    apiPort: 8443,
  })
})

test('a running cluster is added with its address and token', () => {
  const takeover = { ...form, kind: 'takeover' as const, address: ' 10.0.0.9 ', adminToken: ' token ' }
  assert.deepEqual(pluginInput(takeover), { name: 'storage', managementIp: '10.0.0.9', adminToken: 'token' })
})

test('a token of an abandoned takeover is not sent', () => {
  assert.ok(!('adminToken' in pluginInput({ ...form, adminToken: 'token' })))
})

test('empty optional fields are not sent', () => {
  assert.deepEqual(configurationInput(form, 'c1'), {
    uuid: 'c1',
    softwarePackageUuid: 'p1',
    managementIp: '10.0.0.1',
    otherManagementIp: ['10.0.0.2', '10.0.0.3'],
    managementNetworkCidr: '10.0.0.0/24',
    publicNetworkCidr: '10.1.0.0/24',
    clusterNetworkCidr: '10.2.0.0/24',
  })
})

test('optional fields are sent when they are filled in', () => {
  const filled = {
    ...form,
    gatewayNetworkCidr: ' 10.3.0.0/24',
    otherStorageIp: '10.2.0.8\n10.2.0.9',
    username: ' ops ',
  }
  const { gatewayNetworkCidr, otherStorageIp, username } = configurationInput(filled, 'c1')
  assert.deepEqual([gatewayNetworkCidr, otherStorageIp, username], ['10.3.0.0/24', ['10.2.0.8', '10.2.0.9'], 'ops'])
})

test('a password is sent as typed', () => {
  assert.equal(configurationInput({ ...form, password: ' p w ' }, 'c1').password, ' p w ')
})

const lists: [text: string, addresses: readonly string[]][] = [
  ['', []],
  [' \n ', []],
  ['10.2.0.1', ['10.2.0.1']],
  ['10.2.0.1, 10.2.0.2\n10.2.0.3', ['10.2.0.1', '10.2.0.2', '10.2.0.3']],
  [',10.2.0.1,,', ['10.2.0.1']],
]
for (const [text, addresses] of lists)
  test(`"${text.replaceAll('\n', '\\n')}" contains ${addresses.length} addresses`, () =>
    assert.deepEqual(storageAddresses(text), addresses))

test('the last configuration fills the form, without a password', () => {
  const configuration = {
    softwarePackageUuid: 'p1',
    managementIp: '10.0.0.1',
    managementNetworkCidr: '10.0.0.0/24',
    publicNetworkCidr: '10.1.0.0/24',
    clusterNetworkCidr: '10.2.0.0/24',
    gatewayNetworkCidr: '10.1.0.0/24',
    otherManagementIp: ['10.0.0.2', '10.0.0.3'],
    otherStorageIp: ['10.2.0.8', '10.2.0.9'],
    username: 'admin',
  }
  const filled = formOf(configuration)
  assert.equal(filled.gatewayNetworkCidr, '', 'the public network is the default')
  assert.equal(filled.password, '')
  assert.equal(filled.otherStorageIp, '10.2.0.8\n10.2.0.9')
  assert.deepEqual(
    { ...configurationInput(filled, 'c1'), gatewayNetworkCidr: '10.1.0.0/24' },
    { ...configuration, uuid: 'c1' },
  )
})

test('another gateway network is kept', () => {
  const configuration = {
    ...formOf,
    ...form,
    gatewayNetworkCidr: '10.3.0.0/24',
    otherManagementIp: [],
    otherStorageIp: [],
  }
  assert.equal(formOf(configuration).gatewayNetworkCidr, '10.3.0.0/24')
})
