import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodOf } from './histogram-period.ts'

const now = Date.parse('2026-11-05T12:07:08Z')

for (const [period, from, to] of [
  ['day', '2026-11-04T12:30:00.000Z', '2026-11-05T12:30:00.000Z'],
  ['week', '2026-10-29T15:00:00.000Z', '2026-11-05T15:00:00.000Z'],
  ['month', '2026-10-07T00:00:00.000Z', '2026-11-06T00:00:00.000Z'],
] as const)
  test(`a ${period} ends with the current interval`, () => {
    const { from: start, to: end, buckets } = periodOf(period, now)
    assert.deepEqual([start, end], [from, to])
    assert.ok(buckets >= 48 && buckets <= 60)
  })
