import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capacityUse } from './capacity-use.ts'

const rows: [available: number, share: number, level: string][] = [
  [100, 0, 'normal'],
  [21, 0.79, 'normal'],
  [20, 0.8, 'nearly-full'],
  [6, 0.94, 'nearly-full'],
  [5, 0.95, 'full'],
  [0, 1, 'full'],
]
for (const [available, share, level] of rows)
  test(`${available} of 100 free is ${level}`, () => {
    const use = capacityUse(100, available)
    assert.ok(Math.abs(use.share - share) < 1e-9)
    assert.equal(use.level, level)
  })

test('figures that contradict each other stay within the bar', () => {
  assert.equal(capacityUse(100, 150).share, 0)
  assert.equal(capacityUse(100, -10).share, 1)
})
