import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { conditionsOf, queryOf, unset } from './filter-query.ts'

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

test('a field without a value, and labels of hosts, are conditions too', () => {
  const conditions = ['labels.zone=a', 'labels.team/a-b.c!=x', 'labels.zone is null', 'hostUuid is not null']
  assert.deepEqual(back(conditions), conditions)
  const choices = ['labels.zone?=a,b', 'labels.zone is null', 'labels.zone is not null']
  assert.deepEqual(back(choices, ['labels.zone']), choices)
  assert.deepEqual(queryOf(['labels.zone is null'], ['labels.zone']).tokens, [
    { propertyKey: 'labels.zone', operator: '=', value: [unset] },
  ])
})

const pairs: [condition: string, token: object][] = [
  ['name=web', { propertyKey: 'name', operator: '=', value: 'web' }],
  ['name!=web', { propertyKey: 'name', operator: '!=', value: 'web' }],
  ['name~=%web%', { propertyKey: 'name', operator: ':', value: 'web' }],
  ['name!~=%web%', { propertyKey: 'name', operator: '!:', value: 'web' }],
  ['size>=10', { propertyKey: 'size', operator: '>=', value: '10' }],
  ['size<10', { propertyKey: 'size', operator: '<', value: '10' }],
  ['name=a=b', { propertyKey: 'name', operator: '=', value: 'a=b' }],
  ['name=', { propertyKey: 'name', operator: '=', value: '' }],
  ['name=line\nbreak', { propertyKey: 'name', operator: '=', value: 'line\nbreak' }],
]
for (const [condition, token] of pairs)
  test(`${JSON.stringify(condition)} has its token`, () => {
    assert.deepEqual(queryOf([condition]).tokens, [token])
    assert.deepEqual(back([condition]), [condition])
  })

test('any text that is searched for survives the URL', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const conditions = conditionsOf({ operation: 'and', tokens: [{ operator: ':', value }] }, 'name')
      assert.deepEqual(queryOf(conditions).tokens, [{ propertyKey: 'name', operator: ':', value }])
    }),
  )
})

test('free text searches the given field', () => {
  const tokens = [{ operator: '=', value: 'x' }]
  assert.deepEqual(conditionsOf({ operation: 'and', tokens }, 'operation'), ['operation=x'])
})

test('a choice without values is not a condition', () => {
  const tokens = [{ propertyKey: 'status', operator: '=', value: [] }]
  assert.deepEqual(conditionsOf({ operation: 'and', tokens }, 'name'), [])
})

test('a comparison of a field with choices is not a choice', () => {
  assert.deepEqual(queryOf(['status>=5'], ['status']).tokens, [{ propertyKey: 'status', operator: '>=', value: '5' }])
})
