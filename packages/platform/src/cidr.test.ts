import assert from 'node:assert/strict'
import { BlockList, isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Cidr,
  canonicalAddress,
  contains,
  networkOf as enclosing,
  formatCidr,
  isSameAddress,
  parseAddress,
  parseCidr,
} from './cidr.ts'

const networkOf = (text: string): Cidr => {
  const parsed = parseCidr(text)
  assert.ok(parsed, `${text} is a network`)
  return parsed
}

test('every spelling of an address is read as the same bytes', () => {
  const rows: [text: string, bytes: string][] = [
    ['0.0.0.0', '00000000'],
    ['127.0.0.1', '7f000001'],
    ['255.255.255.255', 'ffffffff'],
    ['::', '00'.repeat(16)],
    ['::1', `${'00'.repeat(15)}01`],
    ['1::', `0001${'00'.repeat(14)}`],
    ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
    ['FE80::1:2', 'fe800000000000000000000000010002'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['::ffff:127.0.0.1', '00000000000000000000ffff7f000001'],
    // ipaddr.js alone reads this as ::ffff:127.0.0.1
    ['::127.0.0.1', '0000000000000000000000007f000001'],
    ['64:ff9b::192.0.2.33', '0064ff9b0000000000000000c0000221'],
  ]
  for (const [text, bytes] of rows)
    assert.equal(Buffer.from(parseAddress(text)?.toByteArray() ?? []).toString('hex'), bytes, text)
})

test('an IPv4 address that is written as an IPv6 one is the same address', () => {
  const canonical = (text: string) => canonicalAddress(parseAddress(text) ?? assert.fail(text))
  assert.equal(canonical('::ffff:10.0.0.1'), canonical('10.0.0.1'))
  assert.equal(canonical('::FFFF:a00:1'), canonical('10.0.0.1'))
  assert.notEqual(canonical('::10.0.0.1'), canonical('10.0.0.1'))
  assert.equal(canonical('2001:DB8::0:1'), canonical('2001:db8::1'))
})

test('the network of an address with a prefix is written without host bits', () => {
  const rows = { '10.1.2.3/8': '10.0.0.0/8', 'fd00::1/8': 'fd00::/8', '10.1.2.3/33': undefined, '10.1.2.3': undefined }
  for (const [text, network] of Object.entries(rows)) {
    const found = enclosing(text)
    assert.equal(found && formatCidr(found), network, text)
  }
})

test('two notations of one address are equal, and texts that are not addresses are not', () => {
  const rows: [one: string, other: string, isSame: boolean][] = [
    ['fd00::1', 'FD00:0:0:0:0:0:0:1', true],
    ['::ffff:1.2.3.4', '::ffff:102:304', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['0.0.0.1', '::1', false],
    ['x', 'x', false],
  ]
  for (const [one, other, isSame] of rows) assert.equal(isSameAddress(one, other), isSame, `${one} ${other}`)
})

test('exactly the addresses that Node reads are read', () => {
  const almost = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', 'f', ':', '.', '/', ']'), maxLength: 20 })
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), almost), (text) =>
      assert.equal(parseAddress(text) !== undefined, isIP(text) !== 0, text),
    ),
    { numRuns: 2000 },
  )
})

test('text that is not a plain address is refused', () => {
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

test('a network of one family contains no address of the other', () => {
  const address = parseAddress('::ffff:10.0.0.1')
  assert.ok(address)
  assert.equal(contains(networkOf('0.0.0.0/0'), address), false)
})

/** An address, the length of a prefix, and the bit in which a second address differs. */
const samples = fc
  .tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), fc.nat(127))
  .map(([text, prefix, bit]) => ({ text, bits: isIP(text) === 4 ? 32 : 128, prefix, bit }))
  .map(({ text, bits, prefix, bit }) => ({ text, prefix: prefix % (bits + 1), bit: bit % bits }))

function flipBit(text: string, bit: number): string {
  const bytes = parseAddress(text)?.toByteArray() ?? []
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
  if (bytes.length === 4) return bytes.join('.')
  return Buffer.from(bytes).toString('hex').match(/..../g)?.join(':') ?? ''
}

test('networks contain the addresses that they contain for Node', () => {
  fc.assert(
    fc.property(samples, ({ text, prefix, bit }) => {
      const other = flipBit(text, bit)
      const network = enclosing(`${text}/${prefix}`) ?? assert.fail(text)
      const family = isIP(text) === 4 ? 'ipv4' : 'ipv6'
      const peer = new BlockList()
      peer.addSubnet(text, prefix, family)
      const isIn = (address: string): boolean => contains(network, parseAddress(address) ?? assert.fail(address))
      assert.equal(isIn(text), true)
      assert.equal(isIn(other), peer.check(other, family))
      assert.deepEqual(parseCidr(formatCidr(network)), network)
    }),
    { numRuns: 1000 },
  )
})
