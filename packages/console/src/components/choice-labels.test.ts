import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelsIn } from './choice-labels.ts'

test('chosen values are shown by their labels, and others as they are', () => {
  const shown = labelsIn(['Enabled', { value: 'u1', label: 'web-1' }, { value: 'u2', label: 'web-2' }])
  assert.equal(shown(['u1', 'u2', 'u3', 'Enabled']), 'web-1, web-2, u3, Enabled')
  assert.equal(shown('u2'), 'web-2')
})

test('a value that looks like an object property has no label', () => {
  assert.equal(labelsIn([])('constructor'), 'constructor')
})

test('values that are not text are shown as text', () => {
  assert.equal(labelsIn(['true'])(true), 'true')
  assert.equal(labelsIn([])([1, null]), '1, null')
})
