import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLog } from '@wharf/platform/log.ts'
import { ClockCheck } from './clock-check.ts'

const minuteMs = 60_000

test('a clock that is off by more than a minute is reported, and beyond 15 minutes the node gets no calls', () => {
  const lines: string[] = []
  const clock = { now: () => Date.now(), ownErrorMs: 0 }
  const check = new ClockCheck(clock, makeLog('info', { write: (line) => void lines.push(line) }))
  const rows: [errorMs: number, warning: RegExp | undefined, isRefused: boolean][] = [
    [0, undefined, false],
    [minuteMs, undefined, false],
    [-minuteMs, undefined, false],
    [minuteMs + 1, /60 s ahead of the database's/, false],
    [-15 * minuteMs, /900 s behind the database's/, false],
    [15 * minuteMs + 1, /900 s ahead of/, true],
    [-25 * 60 * minuteMs, /90000 s behind .*; synchronise both with NTP$/, true],
  ]
  for (const [errorMs, warning, isRefused] of rows) {
    clock.ownErrorMs = errorMs
    assert.match(check.warning ?? 'none', warning ?? /^none$/, `${errorMs}`)
    assert.equal(check.refusal !== undefined, isRefused, `${errorMs}`)
  }
  // one line per change, not one per heartbeat
  for (const errorMs of [0, 0, 2 * minuteMs, 2 * minuteMs, 20 * minuteMs, 20 * minuteMs, 0, 0]) {
    clock.ownErrorMs = errorMs
    check.report()
  }
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ level, clockErrorSeconds }) => [level, clockErrorSeconds]),
    [
      ['warn', 120],
      ['warn', 1200],
      ['info', 0],
    ],
  )
})
