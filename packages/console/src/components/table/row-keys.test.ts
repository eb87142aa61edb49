import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowKeys } from './row-keys.ts'

test('the next page takes over the rows of the one before', () => {
  const rows = new RowKeys()
  const first = ['a', 'b', 'c'].map(rows.assign('page 1', ['a', 'b', 'c']))
  assert.deepEqual(['d', 'e'].map(rows.assign('page 2', ['d', 'e'])), first.slice(0, 2))
  assert.equal(new Set(first).size, 3)
})

test('on its page a record keeps its row, and a new one takes over none: what is open in a row is about its record', () => {
  const rows = new RowKeys()
  const [a, b] = ['a', 'b'].map(rows.assign('page 1', ['a', 'b']))
  const keyOf = rows.assign('page 1', ['new', 'b'])
  assert.equal(keyOf('b'), b)
  assert.ok(![a, b].includes(keyOf('new')))
  assert.ok(![a, b, keyOf('new')].includes(rows.assign('page 1', ['newer', 'b'])('newer')))
})

test('a selected record of another page has a key that no row has', () => {
  const keyOf = new RowKeys().assign('page 2', ['b'])
  assert.notEqual(keyOf('a'), keyOf('b'))
})
