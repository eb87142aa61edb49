import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWindowTimes, windowState } from './window-times.ts'

const berlin = { cron: '30 2 * * *', durationMinutes: 60, timeZone: 'Europe/Berlin', cutoffMinutes: 0 }
const weekdays = { cron: '0 22 * * 1-5', durationMinutes: 120, timeZone: 'America/New_York', cutoffMinutes: 30 }
const hourly = { cron: '0 * * * *', durationMinutes: 30, timeZone: 'Europe/Berlin', cutoffMinutes: 0 }

const at = (times: typeof berlin, time: string): string => {
  const { isOpen, opensAt } = windowState(times, Date.parse(time))
  return isOpen ? 'open' : `opens ${opensAt === null ? 'never' : new Date(opensAt).toISOString()}`
}

for (const [times, time, expected] of [
  // an ordinary day
  [berlin, '2026-11-02T01:29:59Z', 'opens 2026-11-02T01:30:00.000Z'],
  [berlin, '2026-11-02T01:30:00Z', 'open'],
  [berlin, '2026-11-02T02:29:59.999Z', 'open'],
  [berlin, '2026-11-02T02:30:00Z', 'opens 2026-11-03T01:30:00.000Z'],
  // clocks go forward: 02:30 does not exist, and the window opens at 03:00
  [berlin, '2026-03-29T00:59:59Z', 'opens 2026-03-29T01:00:00.000Z'],
  [berlin, '2026-03-29T01:00:00Z', 'open'],
  [berlin, '2026-03-29T01:59:59Z', 'open'],
  [berlin, '2026-03-29T02:00:00Z', 'opens 2026-03-30T00:30:00.000Z'],
  // clocks go back: 02:30 occurs twice, and the window opens once
  [berlin, '2026-10-25T00:29:59Z', 'opens 2026-10-25T00:30:00.000Z'],
  [berlin, '2026-10-25T00:30:00Z', 'open'],
  [berlin, '2026-10-25T01:29:59Z', 'open'],
  [berlin, '2026-10-25T01:30:00Z', 'opens 2026-10-26T01:30:00.000Z'],
  // each hour of the day that has 25 of them
  [hourly, '2026-10-25T00:10:00Z', 'open'],
  [hourly, '2026-10-25T00:40:00Z', 'opens 2026-10-25T01:00:00.000Z'],
  [hourly, '2026-10-25T01:10:00Z', 'open'],
  // no host is started in the last half hour; the next day is Monday
  [weekdays, '2026-11-07T03:00:00Z', 'open'],
  [weekdays, '2026-11-07T04:29:59Z', 'open'],
  [weekdays, '2026-11-07T04:30:00Z', 'opens 2026-11-10T03:00:00.000Z'],
  // the same time of day before and after the clocks change
  [weekdays, '2026-10-30T02:00:00Z', 'open'],
  [weekdays, '2026-11-03T02:00:00Z', 'opens 2026-11-03T03:00:00.000Z'],
] as const)
  test(`${times.cron} in ${times.timeZone} at ${time}: ${expected}`, () => assert.equal(at(times, time), expected))

test('windows that overlap are open without a gap', () => {
  const long = { ...hourly, durationMinutes: 90 }
  for (const minute of ['00', '29', '30', '59']) assert.equal(at(long, `2026-11-02T12:${minute}:00Z`), 'open')
})

for (const [change, reason] of [
  [{ timeZone: 'Europe/Nowhere' }, /^w\.timeZone: Europe\/Nowhere is not an IANA time zone/],
  [{ timeZone: '+01:00' }, /^w\.timeZone: \+01:00 is not/],
  [{ cron: 'tomorrow' }, /^w\.cron: tomorrow is not a schedule/],
  [{ cron: '*/5 * * * * *' }, /^w\.cron: .* is not a schedule/],
  [{ cron: '61 * * * *' }, /^w\.cron: 61 /],
  [{ cron: '0 0 31 2 *' }, /^w\.cron: 0 0 31 2 \* never occurs/],
  [{ cutoffMinutes: 60 }, /^w\.cutoffMinutes must be less than the 60 minutes/],
] as const)
  test(`refuses ${JSON.stringify(change)}`, () =>
    assert.throws(() => checkWindowTimes({ ...berlin, ...change }, 'w', Date.parse('2026-11-02')), {
      code: 'SYS.1007',
      message: reason,
    }))

test('accepts valid times', () => checkWindowTimes(weekdays, 'w', Date.parse('2026-11-02')))
