import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { contains, isHost, isSameAddress, parseAddress, parseNetwork, writtenNetwork } from './addresses.ts'

test('reads every address that Node reads', () => {
  fc.assert(fc.property(fc.ipV4(), (text) => assert.equal(parseAddress(text)?.family, 4)))
  fc.assert(fc.property(fc.ipV6(), (text) => assert.equal(parseAddress(text)?.family, 6)))
})

test('rejects every text that Node rejects', () => {
  const almost = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', 'f', ':', '.', '%', '/'), maxLength: 20 })
  fc.assert(
    fc.property(almost, (text) => {
      const known = isIP(text)
      if (known === 0) assert.equal(parseAddress(text), undefined, text)
    }),
    { numRuns: 2000 },
  )
})

for (const text of ['01.2.3.4', '1.2.3', '1.2.3.256', '::1%eth0', ':::', '1::2::3', '12345::', 'localhost', ''])
  test(`"${text}" is not an address`, () => assert.equal(parseAddress(text), undefined))

const same: [one: string, other: string][] = [
  ['fd00::1', 'fd00:0:0:0:0:0:0:1'],
  ['FD00::A', 'fd00::a'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
  ['10.0.0.1', '10.0.0.1'],
]
for (const [one, other] of same) test(`${one} is ${other}`, () => assert.ok(isSameAddress(one, other)))

for (const [one, other] of [
  ['10.0.0.1', '10.0.0.2'],
  ['0.0.0.1', '::1'],
  ['x', 'x'],
] as const)
  test(`${one} is not ${other}`, () => assert.ok(!isSameAddress(one, other)))

for (const host of ['10.0.0.1', 'fd00::1', 'web-1', 'web-1.example.com', 'a1', '1a', 'x'.repeat(63)])
  test(`${host} is a host`, () => assert.ok(isHost(host)))

for (const host of ['', '-a', 'a-', 'a..b', '999.1.1.1', '1.2.3', 'a_b', 'x'.repeat(64), `${'a.'.repeat(126)}ab`])
  test(`"${host}" is not a host`, () => assert.ok(!isHost(host)))

const networks: [text: string, written: string, hasHostBits: boolean][] = [
  ['10.0.0.0/8', '10.0.0.0/8', false],
  ['10.1.2.3/8', '10.0.0.0/8', true],
  ['10.1.2.3/32', '10.1.2.3/32', false],
  ['0.0.0.0/0', '0.0.0.0/0', false],
  ['fd00::/8', 'fd00::/8', false],
  ['fd00::1/64', 'fd00::/64', true],
  ['FD00:0:0:1::/64', 'fd00:0:0:1::/64', false],
]
for (const [text, written, hasHostBits] of networks)
  test(`${text} is the network ${written}`, () => {
    const parsed = parseNetwork(text)
    assert.ok(parsed)
    assert.equal(writtenNetwork(parsed.network), written)
    assert.equal(parsed.hasHostBits, hasHostBits)
  })

for (const text of ['10.0.0.0', '10.0.0.0/', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '/8', '10.0.0.0/-1', 'lan/8'])
  test(`"${text}" is not a network`, () => assert.equal(parseNetwork(text), undefined))

test('a network contains its addresses and no other', () => {
  const network = parseNetwork('10.1.0.0/16')?.network
  assert.ok(network)
  for (const [text, isInside] of [
    ['10.1.0.0', true],
    ['10.1.255.255', true],
    ['10.2.0.0', false],
    ['10.0.255.255', false],
    ['::10.1.0.1', false],
  ] as const) {
    const address = parseAddress(text)
    assert.ok(address)
    assert.equal(contains(network, address), isInside, text)
  }
})

test('every address is in the network that is made from it', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (text, prefix) => {
      const address = parseAddress(text)
      const network = parseNetwork(`${text}/${prefix}`)?.network
      assert.ok(address && network && contains(network, address))
      assert.equal(parseNetwork(writtenNetwork(network))?.hasHostBits, false)
    }),
  )
})
