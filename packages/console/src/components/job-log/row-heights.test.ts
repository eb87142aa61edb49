import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowHeights } from './row-heights.ts'

test('rows of the default height', () => {
  const heights = new RowHeights(20)
  assert.deepEqual([heights.total, heights.indexAt(0)], [0, 0])
  heights.grow(200_000)
  assert.equal(heights.total, 4_000_000)
  assert.equal(heights.offsetOf(150_000), 3_000_000)
  assert.deepEqual(
    [0, 19, 20, 3_999_999, 9_999_999].map((offset) => heights.indexAt(offset)),
    [0, 0, 1, 199_999, 199_999],
  )
})

test('measured rows move the later ones; a hidden row has no height', () => {
  const heights = new RowHeights(20)
  heights.grow(10)
  assert.equal(heights.set(2, 60), 40)
  assert.equal(heights.set(2, 60), 0)
  assert.equal(heights.set(4, 0), -20)
  assert.deepEqual(
    [2, 3, 4, 5, 10].map((index) => heights.offsetOf(index)),
    [40, 100, 120, 120, 220],
  )
  assert.deepEqual(
    [39, 40, 99, 100, 119, 120].map((offset) => heights.indexAt(offset)),
    [1, 2, 2, 3, 3, 5],
  )
  heights.reset()
  assert.equal(heights.total, 200)
})

test('measured heights stay when the list grows', () => {
  const heights = new RowHeights(20)
  heights.grow(1000)
  heights.set(999, 100)
  heights.set(3, 30)
  heights.grow(5000)
  assert.equal(heights.total, 5000 * 20 + 80 + 10)
  assert.equal(heights.offsetOf(1000), 1000 * 20 + 90)
})

test('offsets and rows agree for any heights', () => {
  const heights = new RowHeights(20)
  heights.grow(3000)
  const own = Array.from({ length: 3000 }, (_, index) => (index * 7919) % 61)
  for (const [index, height] of own.entries()) heights.set(index, height)
  let offset = 0
  for (const [index, height] of own.entries()) {
    assert.equal(heights.offsetOf(index), offset)
    if (height > 0) assert.equal(heights.indexAt(offset + height - 1), index)
    offset += height
  }
  assert.equal(heights.total, offset)
})
