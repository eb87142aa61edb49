import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, modelOf, nameOf } from './candidate.ts'

const candidate = { ipv4Address: '10.0.0.7', ipv6Address: 'fe80::1', hostName: 'web-1.local' }

test('IPv4 is preferred, then IPv6, then the host name', () => {
  assert.equal(addressOf(candidate), '10.0.0.7')
  assert.equal(addressOf({ ...candidate, ipv4Address: null }), 'fe80::1')
  assert.equal(addressOf({ ...candidate, ipv4Address: null, ipv6Address: null }), 'web-1.local')
  assert.equal(addressOf({ ipv4Address: null, ipv6Address: null, hostName: null }), '')
})

const names: [hostName: string | null, name: string | undefined][] = [
  ['web-1.local', 'web-1'],
  ['web-1.local.', 'web-1'],
  ['web-1.example.com', 'web-1.example.com'],
  ['local', 'local'],
  ['web.local.example', 'web.local.example'],
  [null, undefined],
]
for (const [hostName, name] of names)
  test(`the name of ${hostName} is ${name}`, () => assert.equal(nameOf({ hostName }), name))

test('the model joins manufacturer and product', () => {
  assert.equal(modelOf({ manufacturer: 'Acme', product: 'S1' }), 'Acme S1')
  assert.equal(modelOf({ manufacturer: null, product: 'S1' }), 'S1')
  assert.equal(modelOf({ manufacturer: null, product: null }), '–')
})
