import assert from 'node:assert/strict'
import { test } from 'node:test'
import { downsample, intervalOf } from './downsample.ts'
import type { HostSample } from './host-sample-store.ts'

const sampleMs = 300_000
const day = 86_400_000
const now = Date.parse('2026-11-05T12:03:04Z')

const sampleAt = (time: number, more: Partial<HostSample> = {}): HostSample => ({
  hostUuid: 'a',
  time,
  load1: 50,
  processors: 2,
  memoryUsedBytes: 10,
  memoryTotalBytes: 100,
  diskUsedBytes: 20,
  diskTotalBytes: 200,
  packagesDiskUsedBytes: null,
  packagesDiskTotalBytes: null,
  ...more,
})

for (const [ms, interval] of [
  [3_600_000, sampleMs],
  [day, sampleMs],
  [2 * day, 2 * sampleMs],
  [7 * day, 7 * sampleMs],
] as const)
  test(`a period of ${ms / 3_600_000} h has intervals of ${interval / 60_000} min, and at most 300`, () => {
    const period = { from: now - ms, to: now }
    assert.equal(intervalOf(period, { sampleMs, maxPoints: 300 }), interval)
    const first = Math.ceil(period.from / sampleMs) * sampleMs
    const samples = Array.from({ length: Math.floor((now - first) / sampleMs) + 1 }, (_, n) =>
      sampleAt(first + n * sampleMs),
    )
    assert.ok(downsample(samples, interval).length <= 300)
  })

test('a point has the averages of its samples, and the last number of processors', () => {
  const start = Date.parse('2026-11-05T12:00:00Z')
  const points = downsample(
    [
      sampleAt(start, { load1: 100, diskUsedBytes: 10, memoryUsedBytes: null }),
      sampleAt(start + sampleMs, { load1: 201, diskUsedBytes: 20, memoryUsedBytes: 7, processors: 4 }),
      sampleAt(start + 4 * sampleMs, { load1: null, memoryUsedBytes: null }),
    ],
    2 * sampleMs,
  )
  assert.deepEqual(
    points.map(({ time, load1, processors, memoryUsedBytes, diskUsedBytes }) => [
      time - start,
      load1,
      processors,
      memoryUsedBytes,
      diskUsedBytes,
    ]),
    [
      [0, 151, 4, 7, 15],
      [4 * sampleMs, null, 2, null, 20],
    ],
  )
})
