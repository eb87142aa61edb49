import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureCode, logHeadings } from './log-headings.ts'

test('the lines of steps, undos and the failure are headings; the rest of the failure is hidden', () => {
  const steps = [
    { name: 'copy', logLine: 1, undoLogLine: 20 },
    { name: 'run', logLine: 4, undoLogLine: null },
    { name: 'verify', logLine: null, undoLogLine: null },
  ]
  const titleOf = (kind: string, step: string): string => `${kind}: ${step}`
  const { kinds, titles, hidden } = logHeadings({ steps, failureLines: { first: 10, last: 13 } }, titleOf)
  assert.deepEqual(
    [...kinds],
    [
      [1, 'step'],
      [20, 'undo'],
      [4, 'step'],
      [10, 'failure'],
    ],
  )
  assert.deepEqual([...titles.values()], ['step: copy', 'undo: copy', 'step: run'])
  assert.deepEqual(hidden, [11, 12, 13])
})

test('a job without a failure hides nothing', () => {
  const { kinds, hidden } = logHeadings({ steps: [], failureLines: undefined }, () => '')
  assert.deepEqual([kinds.size, hidden], [0, []])
})

test('the code of a failure', () => {
  assert.equal(failureCode('failed: SoftwarePackage.1300 the hook ended with exit code 3'), 'SoftwarePackage.1300')
  assert.equal(failureCode('ended by another node than 0a1b: SYS.1012 it is silent'), 'SYS.1012')
  assert.equal(failureCode('failed'), undefined)
})
