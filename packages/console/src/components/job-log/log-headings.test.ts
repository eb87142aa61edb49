import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureCode, logHeadings } from './log-headings.ts'

test('the lines of steps, undos and the failure are headings; the rest of the failure is hidden', () => {
  const steps = [
    { name: 'copy', logLine: 1, undoLogLine: 20 },
    { name: 'run', logLine: 4, undoLogLine: null },
    { name: 'verify', logLine: null, undoLogLine: null },
  ]
  const { headings, hidden } = logHeadings({ steps, failureLines: { first: 10, last: 13 } })
  assert.deepEqual(
    [...headings],
    [
      [1, { kind: 'step', step: 'copy' }],
      [20, { kind: 'undo', step: 'copy' }],
      [4, { kind: 'step', step: 'run' }],
      [10, { kind: 'failure' }],
    ],
  )
  assert.deepEqual(hidden, [11, 12, 13])
})

test('a job without a failure hides nothing', () => {
  assert.deepEqual(logHeadings({ steps: [], failureLines: undefined }), { headings: new Map(), hidden: [] })
})

test('the code of a failure', () => {
  assert.equal(failureCode('failed: SoftwarePackage.1300 the hook ended with exit code 3'), 'SoftwarePackage.1300')
  assert.equal(failureCode('ended by another node than 0a1b: SYS.1012 it is silent'), 'SYS.1012')
  assert.equal(failureCode('failed'), undefined)
})
