import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WharfError } from '@wharf/sdk'
import { recordState } from './record-state.ts'

const failure = (status: number): WharfError =>
  new WharfError(
    {
      code: 'SYS.1001',
      description: 'Not found',
      details: 'no such record',
      elaboration: null,
      opaque: null,
      cause: null,
    },
    { status, explain: async () => undefined },
  )

const host = { uuid: 'h1', name: 'web-1' }

test('a query without data is loading', () => {
  assert.deepEqual(recordState({ data: undefined, error: null }), { kind: 'loading' })
})

test('the first record of the answer is found', () => {
  assert.deepEqual(recordState({ data: { inventories: [host] }, error: null }), { kind: 'found', record: host })
})

test('an empty answer means that the record does not exist', () => {
  assert.deepEqual(recordState({ data: { inventories: [] }, error: null }), { kind: 'missing' })
  assert.deepEqual(recordState({ data: {}, error: null }), { kind: 'missing' })
})

test('a 404 means that the record does not exist', () => {
  assert.deepEqual(recordState({ data: undefined, error: failure(404) }), { kind: 'missing' })
})

test('a deleted record is missing although its last data is still cached', () => {
  assert.deepEqual(recordState({ data: { inventories: [host] }, error: failure(404) }), { kind: 'missing' })
})

for (const error of [failure(403), failure(500), new TypeError('fetch failed')])
  test(`"${error.message}" is a failure`, () => {
    assert.deepEqual(recordState({ data: undefined, error }), { kind: 'failed', error })
  })
