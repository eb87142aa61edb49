import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingRule, userNameOf } from './claim-rules.ts'

const admins = { claim: 'groups', value: 'admins', role: 'admin', account: 'admin' } as const
const staff = { claim: 'department', value: '42', role: 'reader', account: 'guests' } as const
const rules = [admins, staff]

test('a rule applies to a claim that is its value, or a list that contains it; the first one decides', () => {
  assert.equal(matchingRule(rules, { groups: ['ops', 'admins'], department: '42' }), admins)
  assert.equal(matchingRule(rules, { groups: 'admins' }), admins)
  assert.equal(matchingRule(rules, { department: 42 }), staff)
})

const others = [
  {},
  { groups: [] },
  { groups: 'admins, ops' },
  { groups: ['Admins'] },
  { groups: ['admins '] },
  { groups: [['admins'], { admins: true }] },
  { groups: { 0: 'admins' } },
  { groups: null },
  { Groups: ['admins'] },
  Object.create({ groups: ['admins'] }) as object,
]
for (const claims of others)
  test(`no rule applies to ${JSON.stringify(claims)}`, () =>
    assert.equal(matchingRule(rules, claims as Record<string, unknown>), undefined))

test('the name is the preferred one, without control characters and not too long', () => {
  assert.equal(userNameOf({ preferred_username: 'alice', email: 'a@example.com' }, 'x'), 'alice')
  assert.equal(userNameOf({ preferred_username: ' \u0007', email: 'a@example.com' }, 'x'), 'a@example.com')
  assert.equal(userNameOf({ name: 'Al\u202eice\n' }, 'x'), 'Alice')
  assert.equal(userNameOf({ preferred_username: 7 }, 'subject'), 'subject')
  assert.equal(userNameOf({ name: 'a'.repeat(1000) }, 'x').length, 200)
})
