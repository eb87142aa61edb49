import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machineSize, parseNetwork } from './machine-size.ts'

test('omitted fields get their defaults', () => {
  assert.deepEqual(machineSize({}), { cpu: 1, memoryBytes: 2 ** 30, network: null })
  assert.deepEqual(machineSize({ cpu: 4, memoryBytes: 2 ** 24, network: 'user', other: 1 }), {
    cpu: 4,
    memoryBytes: 2 ** 24,
    network: 'user',
  })
})

for (const given of [
  { cpu: 0 },
  { cpu: 256 },
  { cpu: 1.5 },
  { cpu: '1' },
  { memoryBytes: 2 ** 24 - 1 },
  { memoryBytes: 2 ** 43 },
  { network: 5 },
  { network: '' },
])
  test(`refuses ${JSON.stringify(given)}`, () => assert.throws(() => machineSize(given), { code: 'SYS.1007' }))

test('parses the three kinds of networks', () => {
  assert.deepEqual(parseNetwork('user'), { kind: 'user' })
  assert.deepEqual(parseNetwork('network:default'), { kind: 'network', name: 'default' })
  assert.deepEqual(parseNetwork('bridge:br-0.1_x'), { kind: 'bridge', name: 'br-0.1_x' })
  for (const text of ['default', 'bridge:', 'bridge:a b', 'network:a/b', "bridge:'", 'network:a\nb', 'User'])
    assert.throws(() => parseNetwork(text), { code: 'SYS.1007' }, text)
})
