import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedWidth, fitWidths } from './column-widths.ts'

const columns = [
  { id: 'name', width: 300 },
  { id: 'status', width: 100 },
  { id: 'size', width: 100 },
]
const widths = (resized: Record<string, number>, available: number) =>
  Object.fromEntries(fitWidths(columns, resized, available))

test('columns share additional space in proportion to their widths', () => {
  assert.deepEqual(widths({}, 1000), { name: 600, status: 200, size: 200 })
})

test('columns keep their widths where space is missing, so that the table scrolls', () => {
  assert.deepEqual(widths({}, 390), { name: 300, status: 100, size: 100 })
})

test('a resized column keeps its width, and the others share the rest', () => {
  assert.deepEqual(widths({ name: 200 }, 1000), { name: 200, status: 400, size: 400 })
  assert.deepEqual(widths({ name: 200, status: 90, size: 80 }, 1000), { name: 200, status: 90, size: 80 })
})

test('the width follows the window, but not a scroll bar or a hidden page', () => {
  assert.equal(changedWidth(undefined, 900), 900)
  assert.equal(changedWidth(900, 620), 620)
  assert.equal(changedWidth(900, 885), 900)
  assert.equal(changedWidth(900, 0), 900)
})
