import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Sealing } from './sealing.ts'

const sealing = new Sealing(Buffer.alloc(32, 1))
const another = new Sealing(Buffer.alloc(32, 2))

test('opens a sealed value in its own context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      assert.equal(sealing.open(sealing.seal(text, context), context), text)
    }),
  )
})

test('refuses a sealed value with any bit flipped', () => {
  const sealed = sealing.seal('a secret', 'table.column.row')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => sealing.open(changed, 'table.column.row'), `bit ${bit}`)
  }
})

test('refuses a truncated sealed value', () => {
  const sealed = sealing.seal('a secret', 'context')
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => sealing.open(sealed.subarray(0, length), 'context'), `${length} bytes`)
})

test('refuses a value that was sealed for another context, or under another key', () => {
  const sealed = sealing.seal('a secret', 'accessKeys.secret.A')
  assert.throws(() => sealing.open(sealed, 'accessKeys.secret.B'))
  assert.throws(() => another.open(sealed, 'accessKeys.secret.A'))
})

test('never seals the same text to the same bytes', () => {
  const seals = Array.from({ length: 100 }, () => sealing.seal('a secret', 'context').toString('hex'))
  assert.equal(new Set(seals).size, 100)
  assert.ok(seals.every((seal) => !seal.includes(Buffer.from('a secret').toString('hex'))))
})

test('the fingerprint is stable, differs between keys, and does not contain the key', () => {
  const key = randomBytes(32)
  const { fingerprint } = new Sealing(key)
  assert.match(fingerprint, /^[0-9a-f]{16}$/)
  assert.equal(new Sealing(Buffer.from(key)).fingerprint, fingerprint)
  assert.notEqual(sealing.fingerprint, another.fingerprint)
  assert.ok(!key.toString('hex').includes(fingerprint))
})

test('a token is bound to its key, purpose and resource', () => {
  const token = sealing.token('job', 'a')
  assert.match(token, /^[\w-]{43}$/)
  assert.equal(sealing.token('job', 'a'), token)
  for (const other of [another.token('job', 'a'), sealing.token('upload', 'a'), sealing.token('job', 'b')])
    assert.notEqual(other, token)
})

test('during a rotation opens values of both keys; what is resealed is the same value, and tokens stay valid', () => {
  const rotating = new Sealing(Buffer.alloc(32, 1))
  const sealed = rotating.seal('a secret', 'context')
  const [token, identity] = [rotating.token('job', 'a'), rotating.identify(sealed, 'context')]
  rotating.admit(Buffer.alloc(32, 2))
  rotating.switchTo(another.fingerprint)
  assert.equal(rotating.open(sealed, 'context'), 'a secret')
  const resealed = rotating.reseal(sealed, 'context') ?? Buffer.alloc(0)
  assert.equal(another.open(resealed, 'context'), 'a secret')
  assert.equal(rotating.reseal(resealed, 'context'), undefined)
  assert.deepEqual([rotating.token('job', 'a'), rotating.identify(resealed, 'context')], [token, identity])
  assert.throws(() => rotating.reseal(sealed, 'elsewhere'))
})

test('prints no part of its keys', async () => {
  const { inspect } = await import('node:util')
  const printed = `${inspect(sealing, { showHidden: true, depth: 5 })}${JSON.stringify(sealing)}`
  assert.ok(!printed.includes('Buffer'), printed)
})
