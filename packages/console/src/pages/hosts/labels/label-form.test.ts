import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxLabels, maxLabelValueLength } from '@wharf/contract'
import { changeInput, changeOf, changeProblem, isValid, labelsOf, problemsOf, rowsOf } from './label-form.ts'

const row = (name: string, value = 'x') => ({ name, value })

test('labels are rows in the order of their names, and rows are labels', () => {
  const labels = { zone: 'a', role: 'web' }
  assert.deepEqual(rowsOf(labels), [row('role', 'web'), row('zone', 'a')])
  assert.deepEqual(labelsOf([...rowsOf(labels), row('', '')]), labels)
})

test('names follow the rule of the contract, once each; an empty row is ignored', () => {
  assert.deepEqual(problemsOf([row('zone'), row('Zone'), row(''), row('a'), row('a '), row('', '')]), [
    {},
    { name: 'badName' },
    { name: 'required' },
    { name: 'twice' },
    { name: 'twice' },
    {},
  ])
  assert.deepEqual(problemsOf([row('a', 'x'.repeat(maxLabelValueLength + 1))]), [{ value: 'tooLong' }])
  const many = Array.from({ length: maxLabels + 1 }, (_, number) => row(`l${number}`))
  assert.ok(isValid(many.slice(1)) && !isValid(many))
})

test('only what differs is sent', () => {
  const before = { zone: 'a', role: 'web', old: '1' }
  assert.deepEqual(changeOf([row('zone', 'b'), row('role', 'web'), row('rack', '7')], before), {
    labels: { zone: 'b', rack: '7' },
    removeLabels: ['old'],
  })
  assert.deepEqual(changeOf(rowsOf(before), before), {})
})

test('a change of several hosts sets and removes labels, not both of one', () => {
  assert.equal(changeProblem({ rows: [], removed: ' ' }), 'nothing')
  assert.equal(changeProblem({ rows: [row('A')], removed: '' }), 'badRows')
  assert.equal(changeProblem({ rows: [], removed: 'Old' }), 'badRemoved')
  assert.equal(changeProblem({ rows: [row('zone')], removed: 'old, zone' }), 'both')
  const change = { rows: [row('zone', 'a')], removed: 'old, rack' }
  assert.equal(changeProblem(change), undefined)
  assert.deepEqual(changeInput(change), { labels: { zone: 'a' }, removeLabels: ['old', 'rack'] })
})
