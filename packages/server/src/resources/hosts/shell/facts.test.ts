import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFacts } from './facts.ts'

const nothing = { hostName: null, sn: null, manufacturer: null, product: null, system: null, architecture: null }

test('reads the facts of a host', () => {
  const facts = readFacts([
    'hostName=node-1',
    'architecture=x86_64',
    'kernel=Linux 6.1.0',
    'distribution="Debian GNU/Linux 12 (bookworm)"',
    'manufacturer=Dell Inc.',
    'product=PowerEdge R750',
    'sn=ABC=123',
    'model=',
    'boardSerial=',
  ])
  assert.deepEqual(facts, {
    hostName: 'node-1',
    sn: 'ABC=123',
    manufacturer: 'Dell Inc.',
    product: 'PowerEdge R750',
    system: 'Debian GNU/Linux 12 (bookworm)',
    architecture: 'x86_64',
  })
})

test('a host without output has no facts', () => {
  assert.deepEqual(readFacts([]), nothing)
  assert.deepEqual(readFacts(['sn=', 'distribution=""', 'kernel=']), nothing)
})

test('reads model and serial number of boards without PC firmware', () => {
  const facts = readFacts(['sn=', 'product=', 'model=Raspberry Pi 4', 'boardSerial=10000000abcd'])
  assert.deepEqual([facts.product, facts.sn], ['Raspberry Pi 4', '10000000abcd'])
})

for (const placeholder of [
  'None',
  'To be filled by O.E.M.',
  'Default string',
  'NOT SPECIFIED',
  '0',
  '0000000000',
  '...',
  ' ',
  'xxxxxxxx',
])
  test(`${JSON.stringify(placeholder)} is not a serial number`, () => {
    assert.equal(readFacts([`sn=${placeholder}`]).sn, null)
  })

for (const [given, expected] of [
  ['distribution=Alpine', 'Alpine'],
  ["distribution='Some Linux'", 'Some Linux'],
  ['distribution="a \\"quoted\\" one"', 'a "quoted" one'],
  ['kernel=FreeBSD 14', 'FreeBSD 14'],
] as const)
  test(`reads the system from ${given}`, () => assert.equal(readFacts([given]).system, expected))

test('cleans and truncates values', () => {
  assert.equal(readFacts(['product=a\u0000\u001b[31mb\ufffd ']).product, 'a[31mb')
  assert.equal(readFacts([`product=${'y'.repeat(1000)}`]).product?.length, 255)
})
