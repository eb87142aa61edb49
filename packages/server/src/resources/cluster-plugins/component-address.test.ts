import assert from 'node:assert/strict'
import { test } from 'node:test'
import { componentKey } from './component-address.ts'

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
