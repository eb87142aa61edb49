import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Canaries } from './canaries.ts'

test('finds a secret alone or inside other content, in the clear, in hex and in base64', () => {
  const canaries = new Canaries()
  canaries.create('another')
  const secret = canaries.create('the one')
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const inside = Buffer.from(`${before}${secret}after`)
    for (const form of ['utf8', 'hex', 'base64', 'base64url'] as const)
      assert.deepEqual(canaries.findIn(inside.toString(form)), ['the one'], form)
    assert.deepEqual(canaries.findIn(inside.toString('hex').toUpperCase()), ['the one'])
  }
})

test('finds secrets that are not text', () => {
  const canaries = new Canaries()
  const key = randomBytes(32)
  canaries.watch('a key', key)
  for (const form of [key, key.toString('hex'), key.toString('base64'), key.toString('base64url')])
    assert.deepEqual(canaries.findIn(form), ['a key'])
})

test('finds nothing in content without secrets', () => {
  const canaries = new Canaries()
  canaries.create('a secret')
  assert.deepEqual(canaries.findIn(randomBytes(100_000).toString('base64')), [])
  assert.deepEqual(canaries.findIn(''), [])
})
