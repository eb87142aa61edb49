import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titledLogLine } from './job-steps.ts'

test('lines of the runner have the titles of their steps', () => {
  const titleOf = (kind: string, step: string): string => `${kind}: ${step.toUpperCase()}`
  assert.deepEqual(
    ['step run', 'undo run', 'step sign-in', 'step by step', 'running'].map((line) => titledLogLine(line, titleOf)),
    ['step: RUN', 'undo: RUN', 'step: SIGN-IN', 'step by step', 'running'],
  )
})
