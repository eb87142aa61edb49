import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsOf, queryOf } from './filter-query.ts'

const back = (conditions: readonly string[], choiceFields: readonly string[] = []): string[] =>
  conditionsOf(queryOf(conditions, choiceFields), 'name')

test('a condition in the URL and its token are equivalent', () => {
  const conditions = ['name=web', 'name!~=%a\\%b%', 'size>=1024', 'createDate<2026-11-05']
  assert.deepEqual(back(conditions), conditions)
})

test('a field with choices accepts several values', () => {
  const conditions = ['status?=Uploaded,Installed', 'status=Uploaded', 'status!?=Installing,Uploading']
  assert.deepEqual(back(conditions, ['status']), conditions)
  const [token] = queryOf(['status=Uploaded'], ['status']).tokens
  assert.deepEqual(token, { propertyKey: 'status', operator: '=', value: ['Uploaded'] })
})

test('typed text is escaped, and invalid conditions are skipped', () => {
  const tokens = [{ operator: ':', value: '50%_' }]
  assert.deepEqual(conditionsOf({ tokens, operation: 'and' }, 'name'), ['name~=%50\\%\\_%'])
  assert.deepEqual(queryOf(['nonsense', '']).tokens, [])
})
