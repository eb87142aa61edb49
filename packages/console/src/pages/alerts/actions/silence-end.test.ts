import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenceEnd } from './silence-end.ts'

const now = new Date('2026-11-05T12:00').getTime()
const none = { date: '', time: '', zone: 'local' } as const

test('a duration counts from now', () => {
  assert.deepEqual(silenceEnd('fourHours', none, now), { end: new Date('2026-11-05T16:00') })
})

for (const [zone, end] of [
  ['local', '2026-11-06T08:30'],
  ['utc', '2026-11-06T08:30Z'],
] as const)
  test(`a chosen time is read in the chosen zone, ${zone}`, () => {
    assert.deepEqual(silenceEnd('until', { date: '2026-11-06', time: '08:30', zone }, now), { end: new Date(end) })
  })

for (const [date, time, problem] of [
  ['', '', 'incomplete'],
  ['2026-11-06', '', 'incomplete'],
  ['2026-11-06', '8', 'incomplete'],
  ['2026-11-', '08:30', 'incomplete'],
  ['2026-11-05', '12:00', 'past'],
  ['2027-11-05', '12:00', 'tooLong'],
] as const)
  test(`${date || 'no date'} ${time || 'no time'} is ${problem}`, () =>
    assert.deepEqual(silenceEnd('until', { date, time, zone: 'local' }, now), { problem }))
