import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOneError } from './one-error.ts'

test('of several errors one is shown at a time', () => {
  const [warning, first, success, second] = ['warning', 'error', 'success', 'error'].map((type) => ({ type }))
  assert.deepEqual(withOneError([warning, first, success, second].flatMap((one) => one ?? [])), [
    warning,
    first,
    success,
  ])
  assert.deepEqual(withOneError([{ type: 'info' }]), [{ type: 'info' }])
})
