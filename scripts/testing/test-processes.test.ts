import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOut } from './test-processes.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `packages/a/src/${n}.test.ts`)
const sizes = (files: readonly string[]): number[] => shareOut(files).map(({ length }) => length)

test('many files share few processes, a handful is spread over the cores', () => {
  assert.deepEqual(sizes(numbered(25)), [5, 5, 5, 5, 5])
  assert.deepEqual(sizes(numbered(160)), [25, 25, 25, 25, 25, 25, 10])
  assert.deepEqual(sizes(numbered(3)), [1, 1, 1])
  assert.deepEqual(sizes([]), [])
})

test('no file is lost', () => {
  for (let count = 0; count < 80; count++) assert.deepEqual(shareOut(numbered(count)).flat(), numbered(count))
})

test('those that judge their process come first, each alone, then slow files, few together', () => {
  const judging = 'packages/server/src/composition/app.test.ts'
  const slow = Array.from({ length: 30 }, (_, n) => `packages/a/src/${n}.slow.test.ts`)
  const [first, ...others] = shareOut([...numbered(1), ...slow, judging])
  assert.deepEqual(first, [judging])
  assert.deepEqual(others.flat(), [...slow, ...numbered(1)])
  assert.deepEqual(
    others.map(({ length }) => length),
    [4, 4, 4, 4, 4, 4, 4, 2, 1],
  )
})
