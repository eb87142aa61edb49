import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyForm } from './cluster-form.ts'
import { offeredNodes } from './offered-nodes.ts'

const host = (number: number, change: object = {}) => ({
  uuid: `h${number}`,
  name: `host-${number}`,
  address: `10.0.0.${number}`,
  driver: 'ssh',
  state: 'Enabled',
  status: 'Connected',
  ...change,
})
const hosts = [
  host(1),
  host(2),
  host(3),
  host(4, { status: 'Disconnected' }),
  host(5, { state: 'Disabled' }),
  host(6, { driver: 'local' }),
  host(7, { address: 'node-7.example' }),
]
const offered = (field: 'managementIp' | 'second' | 'third', typed: object = {}) =>
  offeredNodes(field, { form: { ...emptyForm, ...typed }, hosts, packageHostUuid: 'h1' }).map(({ uuid }) => uuid)

test('only the host of the package can be the first node', () => assert.deepEqual(offered('managementIp'), ['h1']))

test('only usable hosts with an IP address can be the others', () => assert.deepEqual(offered('second'), ['h2', 'h3']))

test('a host that is another node is not offered twice, and stays in its own field', () => {
  const typed = { managementIp: '10.0.0.1', second: ' 10.0.0.2 ' }
  assert.deepEqual(offered('third', typed), ['h3'])
  assert.deepEqual(offered('second', typed), ['h2', 'h3'])
})
