import assert from 'node:assert/strict'
import { test } from 'node:test'
import { componentKey, isHost } from './component-address.ts'

const hosts = ['10.0.0.1', 'fd00::1', 'node-1', 'node-1.example', '1node', '10.0.0.1.example', 'a'.repeat(63), 'x1.e2']
for (const text of hosts) test(`${text} is an address or a host name`, () => assert.ok(isHost(text)))

const others = [
  '999.1.1.1',
  '10.0.0',
  '10.0.0.1.2',
  'node.1',
  '256',
  '-node',
  'node-',
  'a..b',
  'a.-b',
  'a.b-.c',
  'node.',
  'node_1',
  'a'.repeat(64),
  `${'abcdefg.'.repeat(32)}com`,
  'fe80::1%eth0',
  'http://node',
  'node:80',
  'node 1',
]
for (const text of others) test(`${text} is neither`, () => assert.ok(!isHost(text)))

const key = (managementIp: string, apiPort = 2379) => componentKey({ managementIp, apiPort })

const same: [string, string][] = [
  ['fd00::1', 'FD00:0:0::0001'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::ffff:a00:1', '10.0.0.1'],
  ['Node-1.Example', 'node-1.example'],
]
for (const [one, other] of same) test(`${one} and ${other} are one component`, () => assert.equal(key(one), key(other)))

test('another address, another name and another port are another component', () => {
  const all = [key('10.0.0.1'), key('10.0.0.1', 80), key('10.0.0.2'), key('::a00:1'), key('node'), key('node.example')]
  assert.equal(new Set(all).size, all.length)
})
