import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sealing } from '@wharf/platform/sealing.ts'
import fc from 'fast-check'
import { Hops, hopHeader } from './relay-hop.ts'

const ours = new Sealing(Buffer.alloc(32, 1))
const theirs = new Sealing(Buffer.alloc(32, 2))
const line = { method: 'GET', target: '/v1/hosts?limit=1' }
const hop = { requestId: 'a'.repeat(32), source: '203.0.113.9', protocol: 'https', host: 'wharf.example.com' }

let now = 1_000_000
const hops = new Hops(ours, () => now)
const header = (value: string) => ({ [hopHeader]: value })

test('a node with the same key reads the header of another', () => {
  assert.deepEqual(hops.read(line, header(hops.write(line, hop))), hop)
  assert.equal(hops.read(line, {}), undefined)
})

test('any other value is ignored', () => {
  const claims = hops.write(line, hop)
  const forged = [
    new Hops(theirs, () => now).write(line, hop),
    claims.replace(/^./, 'A'),
    claims.slice(0, -1),
    `${claims}.`.slice(1),
    claims.split('.')[0] ?? '',
    '.',
    '',
  ]
  for (const text of forged) assert.equal(hops.read(line, header(text)), undefined, text)
  fc.assert(fc.property(fc.string(), (text) => hops.read(line, header(text)) === undefined))
})

test('a header is valid for one call', () => {
  const claims = header(hops.write(line, hop))
  assert.equal(hops.read({ ...line, method: 'DELETE' }, claims), undefined)
  assert.equal(hops.read({ ...line, target: '/v1/hosts' }, claims), undefined)
})

test('a header is valid for five seconds; later the call is rejected', () => {
  const claims = header(hops.write(line, hop))
  now += 4999
  assert.deepEqual(hops.read(line, claims), hop)
  now += 2
  assert.throws(() => hops.read(line, claims), { code: 'SYS.1012' })
})
