import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepFirstError } from './keep-first-error.ts'

test('of several errors one is shown at a time', () => {
  const [warning, first, success, second] = ['warning', 'error', 'success', 'error'].map((type) => ({ type }))
  assert.deepEqual(keepFirstError([warning, first, success, second].flatMap((one) => one ?? [])), [
    warning,
    first,
    success,
  ])
  assert.deepEqual(keepFirstError([{ type: 'info' }]), [{ type: 'info' }])
})
