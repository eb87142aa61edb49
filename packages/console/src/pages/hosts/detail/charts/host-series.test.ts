import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerOf, getHostMetrics } from '@wharf/contract'
import { hostSeries } from './host-series.ts'

const gibibyte = 1024 ** 3

type Point = AnswerOf<typeof getHostMetrics>['points'][number]

const point = (more: Partial<Point> = {}): Point => ({
  time: 'Nov 5, 2026 12:00:00 PM' as Point['time'],
  load1: 0.5,
  processors: 4,
  memoryUsedBytes: 2 * gibibyte,
  memoryTotalBytes: 8 * gibibyte,
  diskUsedBytes: 10 * gibibyte,
  diskTotalBytes: 40 * gibibyte,
  packagesDiskUsedBytes: 10 * gibibyte,
  packagesDiskTotalBytes: 40 * gibibyte,
  ...more,
})

test('memory and disk are drawn against their size, load against its peak', () => {
  const { load, memory, disk } = hostSeries([point(), point({ load1: 3.1 })])
  assert.deepEqual([load.scale.max, memory.scale.max / gibibyte, disk.scale.max / gibibyte], [4, 8, 40])
  assert.equal(load.processors, 4)
})

test('a packages folder on another file system has its own line', () => {
  assert.equal(hostSeries([point()]).disk.packages, undefined)
  const { disk } = hostSeries([point({ packagesDiskUsedBytes: 90 * gibibyte, packagesDiskTotalBytes: 100 * gibibyte })])
  assert.deepEqual(disk.packages?.values, [90 * gibibyte])
  assert.equal(disk.scale.max / gibibyte, 100)
})

test('values that a host does not report stay unknown', () => {
  const { load, memory } = hostSeries([point({ load1: null, memoryUsedBytes: null, memoryTotalBytes: null })])
  assert.deepEqual([load.values, memory.values, memory.total], [[null], [null], 0])
})
