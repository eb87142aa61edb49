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

test('slow files come first, each alone, and so do those that judge their process', () => {
  const slow = 'packages/a/src/kill.slow.test.ts'
  const judging = 'packages/server/src/app.test.ts'
  assert.deepEqual(shareOut(['packages/a/src/0.test.ts', judging, slow]), [
    [judging],
    [slow],
    ['packages/a/src/0.test.ts'],
  ])
})
