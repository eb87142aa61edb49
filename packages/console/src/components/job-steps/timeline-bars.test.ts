import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timelineBars } from './timeline-bars.ts'
import type { JobStep } from './use-job-steps.ts'

const start = Date.parse('2026-11-05T01:02:03.000Z')
const at = (ms: number): string => new Date(start + ms).toISOString()

const step = (name: string, from?: number, to?: number, undo: [number, number?] | [] = []): JobStep => ({
  name,
  startTime: from === undefined ? null : at(from),
  endTime: to === undefined ? null : at(to),
  undoStartTime: undo[0] === undefined ? null : at(undo[0]),
  undoEndTime: undo[1] === undefined ? null : at(undo[1]),
})

/** `start+width duration` of the run and the undo. */
const shown = (steps: JobStep[], nowMs: number): (string | undefined)[][] =>
  timelineBars(steps, start + nowMs).map(({ run, undo }) =>
    [run, undo].map((bar) => bar && `${bar.startPercent}+${bar.widthPercent} ${bar.durationMs}`),
  )

test('bars share the length of the job', () => {
  assert.deepEqual(shown([step('copy', 0, 200), step('run', 200, 800), step('verify', 800, 1000)], 5000), [
    ['0+20 200', undefined],
    ['20+60 600', undefined],
    ['80+20 200', undefined],
  ])
})

test('the current step ends now, and those to follow have no bar', () => {
  assert.deepEqual(shown([step('copy', 0, 500), step('run', 500), step('verify')], 1000), [
    ['0+50 500', undefined],
    ['50+50 500', undefined],
    [undefined, undefined],
  ])
})

test('an undo has a bar of its own', () => {
  assert.deepEqual(shown([step('copy', 0, 200, [600, 1000]), step('run', 200, 500, [500, 600])], 9000), [
    ['0+20 200', '60+40 400'],
    ['20+30 300', '50+10 100'],
  ])
})

test('no length is divided by zero, and a late clock of the browser gives no negative time', () => {
  assert.deepEqual(shown([step('send', 0, 0)], 0), [['0+100 0', undefined]])
  assert.deepEqual(shown([step('copy', 0, 100), step('run', 100)], -5000), [
    ['0+100 100', undefined],
    ['100+0 0', undefined],
  ])
  assert.deepEqual(shown([step('copy')], 0), [[undefined, undefined]])
  assert.deepEqual(shown([], 0), [])
})
