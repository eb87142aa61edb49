import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cidr, parseCidr } from '@wharf/platform/cidr.ts'
import { allowedAddress, refusalOf } from './addresses.ts'

const networks = (...texts: string[]): Cidr[] => texts.map((text) => parseCidr(text) ?? assert.fail(text))

const refused: Record<string, readonly string[]> = {
  'a cloud metadata address': [
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd00:0ec2:0:0:0:0:0:0254',
    '::ffff:169.254.169.254',
    '::ffff:6464:64c8',
    '64:ff9b::168.63.129.16',
    '2002:a9fe:a9fe::1',
  ],
  'an unspecified address': [
    '0.0.0.0',
    '0.0.0.1',
    '0.255.255.255',
    '::',
    '::ffff:0.0.0.0',
    '::2',
    '64:ff9b::',
    '2002::1',
  ],
  'a loopback address': [
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.255',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::7fff:ffff',
    '2002:7f00:1::',
    '2002:7f00:0001:dead:beef::1',
    '2001:0:c000:221:8000:ffff:80ff:fffe',
  ],
  'a link-local address': [
    '169.254.0.1',
    '169.254.255.255',
    'fe80::1',
    'febf::1',
    '::ffff:169.254.1.1',
    '2002:a9fe:101::',
  ],
  'a multicast address': ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::fb', '::ffff:224.0.0.251'],
  'the broadcast address': ['255.255.255.255', '::ffff:255.255.255.255', '64:ff9b::ffff:ffff'],
  'a locally translated address': ['64:ff9b:1::1', '64:ff9b:1:7f00:0:100::'],
  'not a plain IP address': ['fe80::1%lo', '::1%1', '', 'localhost', '127.1', '0x7f000001', '[::1]', '10.0.0.1 '],
}

for (const [rule, addresses] of Object.entries(refused)) {
  test(`refuses ${rule}`, () => {
    for (const address of addresses) assert.equal(refusalOf(address, []), rule, address)
  })
}

test('accepts public and private addresses, also next to refused ones', () => {
  const free = ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '100.100.100.199', '168.63.129.17', '1.1.1.1']
  const near = [
    '126.255.255.255',
    '128.0.0.0',
    '1.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '223.255.255.255',
    '240.0.0.1',
  ]
  const six = ['fd00::1', 'fc00::1', 'fd00:ec2::253', '2606:4700::1111', 'fe7f::1', 'fec0::1', 'feff::1', '2003::1']
  const carrying = [
    '::ffff:10.0.0.1',
    '64:ff9b::8.8.8.8',
    '2002:0a00:0001::1',
    '2001:db8::1',
    '2001:0:c000:221:8000:ffff:f7f7:f7f7',
  ]
  for (const address of [...free, ...near, ...six, ...carrying])
    assert.equal(refusalOf(address, []), undefined, address)
})

test('admits the networks of the allow list, in every notation, and no others', () => {
  const allow = networks('127.0.0.2', '169.254.169.254/32', 'fe80::/10', 'fd00:ec2::254')
  const admitted = [
    '127.0.0.2',
    '::ffff:127.0.0.2',
    '64:ff9b::127.0.0.2',
    '169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
  ]
  for (const address of admitted) assert.equal(allowedAddress(address, allow), true, address)
  for (const address of [
    '127.0.0.1',
    '127.0.0.3',
    '::1',
    '::ffff:127.0.0.3',
    '169.254.169.253',
    'fe80::1%lo',
    'ff02::1',
  ])
    assert.equal(allowedAddress(address, allow), false, address)
})

test('an allow list can admit every address, but never one with a zone', () => {
  const everything = networks('0.0.0.0/0', '::/0')
  for (const address of ['0.0.0.0', '127.0.0.1', '255.255.255.255', '::', '::1', 'ff02::1', '64:ff9b:1::'])
    assert.equal(allowedAddress(address, everything), true, address)
  assert.equal(allowedAddress('fe80::1%lo', everything), false)
})
