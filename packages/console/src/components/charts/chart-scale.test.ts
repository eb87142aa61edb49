import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksOf, nearestIndex, scaleFor, segmentsOf, timeMarks } from './chart-scale.ts'

const gibibyte = 1024 ** 3

for (const [largest, marks] of [
  [0, [0, 1]],
  [0.37, [0, 0.1, 0.2, 0.3, 0.4]],
  [3.2, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [41, [0, 20, 40, 60]],
] as const)
  test(`an axis for ${largest} has the marks ${marks.join(' ')}`, () =>
    assert.deepEqual(
      marksOf(scaleFor(largest)).map((mark) => Number(mark.toPrecision(6))),
      marks,
    ))

test('an axis for bytes has round marks in binary units', () =>
  assert.deepEqual(
    marksOf(scaleFor(7.6 * gibibyte, { base: 1024 })).map((mark) => mark / gibibyte),
    [0, 2, 4, 6, 8],
  ))

test('times on the axis are round by the local clock', () => {
  const domain = { from: Date.parse('2026-11-05T12:07:00Z'), to: Date.parse('2026-11-05T13:07:00Z') }
  const iso = (times: number[]) => times.map((time) => new Date(time).toISOString().slice(11, 16))
  assert.deepEqual(iso(timeMarks(domain, { count: 4, offsetMs: 0 })), ['12:15', '12:30', '12:45', '13:00'])
  const days = { from: domain.from - 7 * 86_400_000, to: domain.from }
  const shanghai = timeMarks(days, { count: 7, offsetMs: 8 * 3_600_000 })
  assert.equal(shanghai.length, 7)
  assert.deepEqual(new Set(iso(shanghai)), new Set(['16:00']))
})

test('a line is interrupted by unknown values and long pauses', () => {
  const points = [
    { time: 0, value: 1 },
    { time: 5, value: 2 },
    { time: 10, value: null },
    { time: 15, value: 3 },
    { time: 40, value: 4 },
  ]
  assert.deepEqual(
    segmentsOf(points, 12).map((segment) => segment.map(({ value }) => value)),
    [[1, 2], [3], [4]],
  )
})

test('a pointer selects the nearest point', () => {
  const times = [0, 10, 90]
  const domain = { from: 0, to: 100 }
  assert.deepEqual(
    [0, 0.06, 0.49, 0.51, 1].map((share) => nearestIndex(times, share, domain)),
    [0, 1, 1, 2, 2],
  )
})
