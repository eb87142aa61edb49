import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations.ts'
import { operationsText } from './operations-text.ts'

test('writes one aligned line per operation', () => {
  const chosen = operations.filter(({ name }) => name === 'QueryTag' || name === 'GetMigrateImages')
  assert.equal(
    operationsText(chosen),
    'GET  /v1/migrate/images  GetMigrateImages  read  call  5.0.0\n' +
      'GET  /v1/tags            QueryTag          read  call  wharf-1.0.0\n',
  )
})

test('writes nothing for no operations', () => assert.equal(operationsText([]), ''))
