import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diskUse, startsOf } from './disk-use.ts'

test('the used space is split into packages and other data', () => {
  assert.deepEqual(diskUse({ total: 100, free: 30, packages: 20 }), { used: 20, other: 50 })
  assert.deepEqual(diskUse({ total: 100, free: 100, packages: 0 }), { used: 0, other: 0 })
})

test('packages on another file system do not exceed the used space', () => {
  assert.deepEqual(diskUse({ total: 100, free: 90, packages: 500 }), { used: 10, other: 0 })
})

test('the parts add up to the whole', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), fc.nat(5000), (used, free, packages) => {
      const total = used + free
      const parts = diskUse({ total, free, packages })
      assert.equal(parts.used + parts.other + free, total)
      assert.ok(parts.used >= 0 && parts.other >= 0)
    }),
  )
})

test('each part starts where the previous one ends', () => {
  assert.deepEqual(startsOf([10, 20, 30]), [0, 10, 30])
  assert.deepEqual(startsOf([]), [])
})
