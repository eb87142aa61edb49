import assert from 'node:assert/strict'
import { test } from 'node:test'
import { focusAfterKey, layoutCells, rowsOf } from './cell-layout.ts'

test('few hosts have their names, in cells that fill the width', () => {
  assert.deepEqual(layoutCells(3, 620), { hasNames: true, columns: 3, cellPixels: 204 })
  assert.deepEqual(layoutCells(3, 100), { hasNames: true, columns: 1, cellPixels: 100 })
})

test('a thousand hosts are squares that fit the page without scrolling sideways', () => {
  for (const width of [320, 650, 1100, 1600]) {
    const { hasNames, columns, cellPixels } = layoutCells(1000, width)
    assert.equal(hasNames, false)
    assert.ok(columns * cellPixels + (columns - 1) * 4 <= width, `${width}`)
    // not wider than a few screens of a phone, and at most a page elsewhere
    assert.ok(Math.ceil(1000 / columns) * 24 <= (width < 400 ? 2000 : 950), `${width}`)
  }
})

test('a page that has no width yet has one column', () => assert.equal(layoutCells(1000, 0).columns, 1))

test('rows contain every cell once', () => {
  assert.deepEqual(rowsOf([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]])
  assert.deepEqual(rowsOf([], 2), [])
})

// 0 1 2 3
// 4 5 6 7
// 8 9
const move = (key: string, index: number, isControl = false) =>
  focusAfterKey({ key, index, isControl, count: 10, columns: 4 })

for (const [key, index, expected] of [
  ['ArrowRight', 3, 4],
  ['ArrowRight', 9, 9],
  ['ArrowLeft', 4, 3],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 1, 5],
  ['ArrowDown', 5, 9],
  // the last row has no third cell
  ['ArrowDown', 6, 6],
  ['ArrowDown', 9, 9],
  ['ArrowUp', 5, 1],
  ['ArrowUp', 1, 1],
  ['PageDown', 2, 6],
  ['PageDown', 1, 9],
  ['PageUp', 9, 1],
  ['Home', 6, 4],
  ['End', 4, 7],
  ['End', 8, 9],
  ['a', 4, undefined],
] as const)
  test(`${key} at ${index}`, () => assert.equal(move(key, index), expected))

test('with Control, Home and End are the first and the last cell', () => {
  assert.equal(move('Home', 6, true), 0)
  assert.equal(move('End', 1, true), 9)
})
