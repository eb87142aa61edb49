import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryHost } from '@wharf/contract'
import { localSource } from './local-source.ts'

const records = Array.from({ length: 30 }, (_, index) => ({ name: `vm-${index}`, cpu: index % 3 }))
const list = { records, error: null, isFetching: false, call: { operation: queryHost, input: {} }, refetch: () => {} }

test('filters, sorts and pages', async () => {
  const source = localSource(list, { conditions: ['cpu=1'], sort: '-name', page: 2 }, 4)
  assert.equal(source.total, 10)
  assert.deepEqual(
    source.records.map(({ name }) => name),
    ['vm-22', 'vm-19', 'vm-16', 'vm-13'],
  )
  const all = await Array.fromAsync(source.readAll(AbortSignal.timeout(1000)))
  assert.equal(all.flat().length, 10)
})

test('a list that is not loaded is pending and has no total', () => {
  const source = localSource({ ...list, records: undefined }, { conditions: [], sort: '+name', page: 1 }, 25)
  assert.equal(source.isPending, true)
  assert.equal(source.total, undefined)
})
