import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations.ts'
import { operationsText } from './operations-text.ts'

test('writes one aligned line per operation', () => {
  const chosen = operations.filter(({ name }) => name === 'QueryTag' || name === 'AddClusterPlugin')
  assert.equal(
    operationsText(chosen),
    'POST  /v1/cluster-plugin  AddClusterPlugin  operate  job   4.10.6       planned\n' +
      'GET   /v1/tags            QueryTag          read     call  wharf-1.0.0  served\n',
  )
})

test('writes nothing for no operations', () => assert.equal(operationsText([]), ''))
