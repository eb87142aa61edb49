import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenceEnd } from './silence-end.ts'

const now = new Date('2026-11-05T12:00').getTime()
const none = { date: '', time: '' }

test('a duration counts from now', () => {
  assert.deepEqual(silenceEnd('fourHours', none, now), { end: new Date('2026-11-05T16:00') })
})

test('a chosen time is read in the zone of the browser', () => {
  assert.deepEqual(silenceEnd('until', { date: '2026-11-06', time: '08:30' }, now), {
    end: new Date('2026-11-06T08:30'),
  })
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
    assert.deepEqual(silenceEnd('until', { date, time }, now), { problem }))
