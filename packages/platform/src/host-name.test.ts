import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddressOrHostName } from './host-name.ts'

const hosts = ['10.0.0.1', 'fd00::1', 'node-1', 'node-1.example', '1node', '10.0.0.1.example', 'a'.repeat(63), 'x1.e2']
for (const text of hosts) test(`${text} is an address or a host name`, () => assert.ok(isAddressOrHostName(text)))

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
for (const text of others) test(`${text} is neither`, () => assert.ok(!isAddressOrHostName(text)))
