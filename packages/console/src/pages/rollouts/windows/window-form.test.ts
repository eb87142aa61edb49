import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf, newWindow, nextOpenings, problemsOf, windowInput } from './window-form.ts'

const valid = { ...newWindow('Europe/Berlin'), name: 'nights' }

test('the default is valid once it has a name', () => {
  assert.deepEqual(problemsOf(valid), {})
  assert.deepEqual(problemsOf({ ...valid, name: ' ' }), { name: 'required' })
})

for (const [change, expected] of [
  [{ cron: '' }, { cron: 'required' }],
  [{ cron: 'at night' }, { cron: 'cron' }],
  // six fields would open within a minute
  [{ cron: '0 0 22 * * 1' }, { cron: 'cron' }],
  [{ cron: '0 0 31 2 *' }, { cron: 'never' }],
  [{ timeZone: '+01:00' }, { timeZone: 'timeZone' }],
  [{ timeZone: 'Mars/Olympus' }, { timeZone: 'timeZone' }],
  [{ durationMinutes: '0' }, { durationMinutes: 'duration', cutoffMinutes: 'cutoff' }],
  [{ durationMinutes: '60', cutoffMinutes: '60' }, { cutoffMinutes: 'cutoff' }],
] as const)
  test(`problems of ${JSON.stringify(change)}`, () => assert.deepEqual(problemsOf({ ...valid, ...change }), expected))

test('the next openings follow the clocks of the zone', () => {
  // clocks in Berlin go back on October 25, 2026
  const now = Date.UTC(2026, 9, 23, 12)
  const daily = { cron: '0 22 * * *', timeZone: 'Europe/Berlin' }
  assert.deepEqual(
    nextOpenings(daily, 3, now).map((time) => time.toISOString()),
    ['2026-10-23T20:00:00.000Z', '2026-10-24T20:00:00.000Z', '2026-10-25T21:00:00.000Z'],
  )
  assert.deepEqual(nextOpenings({ cron: 'x', timeZone: 'UTC' }, 3, now), [])
})

test('a stored window is edited as it is', () => {
  const stored = windowInput({ ...valid, selector: ' labels.role=web \n\nstate=Enabled' })
  assert.deepEqual(stored.selector, ['labels.role=web', 'state=Enabled'])
  assert.deepEqual(windowInput(formOf(stored)), stored)
})
