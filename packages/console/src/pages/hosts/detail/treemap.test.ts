import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { treemap } from './treemap.ts'

const sizes = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 1, maxLength: 60 })
const aspect = fc.double({ min: 0.3, max: 5, noNaN: true })

test('the tiles fill the picture, and none leaves it', () =>
  fc.assert(
    fc.property(sizes, aspect, (given, shape) => {
      const sorted = given.toSorted((a, b) => b - a)
      const tiles = treemap(sorted, shape)
      assert.equal(tiles.length, sorted.length)
      const filled = tiles.reduce((sum, { width, height }) => sum + width * height, 0)
      assert.ok(Math.abs(filled - 10_000) < 1e-3, `${filled}`)
      for (const { left, top, width, height } of tiles) {
        assert.ok(left >= -1e-6 && top >= -1e-6 && left + width <= 100 + 1e-6 && top + height <= 100 + 1e-6)
        assert.ok(width > 0 && height > 0)
      }
    }),
  ))

test('twice the bytes are twice the area', () => {
  const [large, small] = treemap([200, 100], 2)
  assert.ok(large && small)
  assert.ok(Math.abs((large.width * large.height) / (small.width * small.height) - 2) < 1e-9)
})

test('no sizes give no tiles', () => assert.deepEqual(treemap([], 2), []))
