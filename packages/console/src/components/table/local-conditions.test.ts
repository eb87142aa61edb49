import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareValues, matchesCondition } from './local-conditions.ts'

const vm = { name: 'Gateway_1', cpu: 4, host: null, createDate: 'Nov 5, 2026 1:02:03 PM' }

const rows: readonly (readonly [condition: string, isMatch: boolean])[] = [
  ['name=Gateway_1', true],
  ['name=gateway_1', false],
  ['name!=other', true],
  ['name?=a,Gateway_1', true],
  ['name!?=a,Gateway_1', false],
  ['name~=%gateway\\_1%', true],
  ['name~=gateway.1', false],
  ['name~=gateway_1', true],
  ['name~=G(', false],
  ['name!~=%gate%', false],
  ['cpu>=4', true],
  ['cpu>10', false],
  ['cpu<10', true],
  // an unknown value matches negations only
  ['host=x', false],
  ['host!=x', true],
  ['host~=%', false],
  ['createDate>2026-11-05 09:00:00', true],
  ['createDate<Nov 5, 2026 9:00:00 AM', false],
  ['nonsense', false],
]
for (const [condition, isMatch] of rows)
  test(`${condition} ${isMatch ? 'matches' : 'does not match'}`, () =>
    assert.equal(matchesCondition(vm, condition), isMatch))

test('numbers and times sort by size, and unknown values first', () => {
  assert.deepEqual([10, null, 9].toSorted(compareValues), [null, 9, 10])
  const times = ['Nov 5, 2026 1:02:03 PM', 'Nov 5, 2026 9:02:03 AM', 'Dec 1, 2025 1:00:00 AM']
  assert.deepEqual(times.toSorted(compareValues), [times[2], times[1], times[0]])
})
