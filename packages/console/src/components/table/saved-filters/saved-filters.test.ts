import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFilter, parseFilters, withFilter, withoutFilter } from './saved-filters.ts'

const failed = { name: 'failed', conditions: ['status=Failed', 'size>=1'] }
const mine = { name: 'mine', conditions: ['userUuid=1'] }

test('stored values that are not filters are skipped', () => {
  assert.deepEqual(parseFilters(undefined), [])
  assert.deepEqual(parseFilters({ name: 'x' }), [])
  assert.deepEqual(
    parseFilters([null, { name: 'x' }, { name: 1, conditions: [] }, { name: 'y', conditions: [1] }, mine]),
    [mine],
  )
})

test('saving adds a filter by name, and replaces one of the same name', () => {
  const saved = withFilter(withFilter([], mine), failed)
  assert.deepEqual(saved, [failed, mine])
  assert.deepEqual(withFilter(saved, { name: 'mine', conditions: [] }), [failed, { name: 'mine', conditions: [] }])
  assert.deepEqual(withoutFilter(saved, 'failed'), [mine])
})

test('a filter is found by its conditions in any order', () => {
  assert.equal(findFilter([failed, mine], ['size>=1', 'status=Failed']), failed)
  assert.equal(findFilter([failed, mine], ['status=Failed']), undefined)
})
