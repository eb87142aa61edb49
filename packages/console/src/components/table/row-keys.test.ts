import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowKeys } from './row-keys.ts'

test('the next page reuses the keys', () => {
  const keys = new RowKeys()
  const first = ['a', 'b', 'c'].map(keys.assign('page 1', ['a', 'b', 'c']))
  assert.deepEqual(['d', 'e'].map(keys.assign('page 2', ['d', 'e'])), first.slice(0, 2))
  assert.equal(new Set(first).size, 3)
})

test('in a view a record keeps its key, and a new record gets a new one', () => {
  const keys = new RowKeys()
  const [a, b] = ['a', 'b'].map(keys.assign('page 1', ['a', 'b']))
  const keyOf = keys.assign('page 1', ['new', 'b'])
  assert.equal(keyOf('b'), b)
  assert.ok(![a, b].includes(keyOf('new')))
  assert.ok(![a, b, keyOf('new')].includes(keys.assign('page 1', ['newer', 'b'])('newer')))
})

test('a selected record of another page has a key of its own', () => {
  const keyOf = new RowKeys().assign('page 2', ['b'])
  assert.notEqual(keyOf('a'), keyOf('b'))
})
