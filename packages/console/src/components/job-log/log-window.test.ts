import assert from 'node:assert/strict'
import { test } from 'node:test'
import { centredTop, followsAfter, positionAfterKey, visibleRows } from './log-window.ts'
import { RowHeights } from './row-heights.ts'

const rows = (count: number): RowHeights => {
  const heights = new RowHeights(20)
  heights.grow(count)
  return heights
}

test('the visible rows and some beyond them are rendered', () => {
  assert.deepEqual(visibleRows(rows(0), 0, 500), { first: 0, end: 0 })
  assert.deepEqual(visibleRows(rows(10), 0, 500), { first: 0, end: 10 })
  assert.deepEqual(visibleRows(rows(200_000), 0, 500), { first: 0, end: 46 })
  assert.deepEqual(visibleRows(rows(200_000), 2_000_000, 500), { first: 99_980, end: 100_046 })
  assert.deepEqual(visibleRows(rows(200_000), 4_000_000 - 500, 500), { first: 199_955, end: 200_000 })
})

test('tall rows leave fewer to render', () => {
  const heights = rows(1000)
  for (let index = 0; index < 1000; index++) heights.set(index, 100)
  assert.deepEqual(visibleRows(heights, 50_000, 500), { first: 480, end: 526 })
})

test('a row is shown in the middle, as far as the ends allow', () => {
  assert.equal(centredTop(rows(1000), 500, 500), 500 * 20 - 250)
  assert.equal(centredTop(rows(1000), 2, 500), 0)
  assert.equal(centredTop(rows(1000), 999, 500), 1000 * 20 - 500)
  assert.equal(centredTop(rows(3), 2, 500), 0)
})

test('keys move to the ends, by pages and by rows', () => {
  const after = (key: string, top: number) => positionAfterKey(key, { top, height: 500, endTop: 9500 })
  assert.deepEqual([after('Home', 5000), after('End', 5000)], [0, 9500])
  assert.deepEqual([after('PageUp', 5000), after('PageDown', 5000)], [4540, 5460])
  assert.deepEqual([after('PageUp', 100), after('PageDown', 9400)], [0, 9500])
  assert.deepEqual([after('ArrowUp', 5000), after('ArrowDown', 5000), after('a', 5000)], [4960, 5040, undefined])
})

const scrolls: [name: string, scroll: Parameters<typeof followsAfter>[0], follows: boolean][] = [
  ['scrolling up ends following', { isFollowing: true, before: 900, top: 700, endTop: 900 }, false],
  ['reaching the end starts it', { isFollowing: false, before: 700, top: 895, endTop: 900 }, true],
  [
    'scrolling down before the end does not start it',
    { isFollowing: false, before: 100, top: 300, endTop: 900 },
    false,
  ],
  ['new lines below do not end it', { isFollowing: true, before: 900, top: 900, endTop: 1500 }, true],
]
for (const [name, scroll, follows] of scrolls) test(name, () => assert.equal(followsAfter(scroll), follows))
