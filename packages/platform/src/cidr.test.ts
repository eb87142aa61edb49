import assert from 'node:assert/strict'
import { BlockList, isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Address, bitsOf, type Cidr, contains, parseAddress, parseCidr } from './cidr.ts'

const networkOf = (text: string): Cidr => {
  const parsed = parseCidr(text)
  assert.ok(parsed, `${text} is a network`)
  return parsed
}

test('addresses are read as numbers', () => {
  const rows: [text: string, family: 4 | 6, value: bigint][] = [
    ['0.0.0.0', 4, 0n],
    ['127.0.0.1', 4, 0x7f000001n],
    ['255.255.255.255', 4, 0xffffffffn],
    ['::', 6, 0n],
    ['::1', 6, 1n],
    ['1::', 6, 1n << 112n],
    ['fe80::1:2', 6, (0xfe80n << 112n) | 0x10002n],
    ['1:2:3:4:5:6:7:8', 6, 0x00010002000300040005000600070008n],
    ['::ffff:127.0.0.1', 6, 0xffff7f000001n],
    ['64:ff9b::192.0.2.33', 6, 0x0064ff9b0000000000000000c0000221n],
  ]
  for (const [text, family, value] of rows) assert.deepEqual(parseAddress(text), { family, value }, text)
})

test('what is no plain address is refused', () => {
  const texts = ['', ' ', '127.1', '0177.0.0.1', '0x7f000001', '2130706433', '127.0.0.1 ', '127.0.0.256', 'localhost']
  for (const text of [...texts, 'fe80::1%lo', '[::1]', '1::2::3', ':1', '::ffff:1.2.3']) {
    assert.equal(parseAddress(text), undefined, text)
  }
})

test('networks without host bits and bare addresses are read, others refused', () => {
  const good = ['10.0.0.0/8', '0.0.0.0/0', '10.1.2.3/32', '10.1.2.3', '::/0', 'fd00::/8', '::1/128', '::1', '2002::/16']
  for (const text of good) networkOf(text)
  const bad = [
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.1.2.3/8',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
    '10.0.0.0/1e1',
  ]
  for (const text of [...bad, 'fd00::1/8', '::/129', 'fe80::%lo/10', '/8', '10/8', 'any']) {
    assert.equal(parseCidr(text), undefined, text)
  }
})

test('a network of one family holds no address of the other', () => {
  const address = parseAddress('::ffff:10.0.0.1')
  assert.ok(address)
  assert.equal(contains(networkOf('0.0.0.0/0'), address), false)
})

/** An address, the length of a prefix, and the bit in which a second address differs. */
const placed = fc
  .tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), fc.nat(127))
  .map(([text, prefix, bit]) => ({ text, bits: bitsOf(isIP(text) as 4 | 6), prefix, bit }))
  .map(({ text, bits, prefix, bit }) => ({ text, prefix: prefix % (bits + 1), bit: BigInt(bit % bits) }))

function textOf({ family, value }: Address): string {
  const [bits, radix, mark] = family === 4 ? ([8, 10, '.'] as const) : ([16, 16, ':'] as const)
  const groups = Array.from({ length: bitsOf(family) / bits }, (_, index) => value >> BigInt(index * bits))
  return groups
    .map((group) => BigInt.asUintN(bits, group).toString(radix))
    .reverse()
    .join(mark)
}

test('networks hold the addresses that Node says they hold', () => {
  fc.assert(
    fc.property(placed, ({ text, prefix, bit }) => {
      const base = parseAddress(text)
      assert.ok(base)
      const other: Address = { ...base, value: base.value ^ (1n << bit) }
      const hostBits = BigInt(bitsOf(base.family) - prefix)
      const network: Cidr = { ...base, value: (base.value >> hostBits) << hostBits, prefix }
      const family = base.family === 4 ? 'ipv4' : 'ipv6'
      const peer = new BlockList()
      peer.addSubnet(text, prefix, family)
      assert.deepEqual(parseAddress(textOf(other)), other)
      assert.equal(contains(network, base), true)
      assert.equal(contains(network, other), peer.check(textOf(other), family))
    }),
    { numRuns: 1000 },
  )
})
