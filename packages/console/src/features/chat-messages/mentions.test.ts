import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChatKind, chatKinds } from '@wharf/contract'
import { type Audience, calledBy, callsEveryone, isPinged, isPlain } from './mentions.ts'

const rows: Record<ChatKind, { valid: string[]; invalid: string[] }> = {
  DingTalk: { valid: ['13800138000', '+86-13800138000', 'manager4220'], invalid: ['Zhang San', '-dash', ''] },
  WeCom: { valid: ['zhangsan', 'a.b@c', '13800138000'], invalid: ['_under', 'Zhang San', ''] },
  FeiShu: { valid: ['ou_84aad35d084aa403', 'abc-def'], invalid: ['a@b.example', 'a b', ''] },
  Slack: { valid: ['U012AB3CD', 'W012', 'S0123ABCD'], invalid: ['u012ab3cd', 'anna', 'U', ''] },
  Teams: {
    valid: ['anna@example.com', '9e1a2b3c-0000-4000-8000-1234567890ab'],
    invalid: ['anna', '9e1a2b3c', 'a b@c', ''],
  },
}

for (const type of chatKinds)
  test(`the user IDs of ${type}`, () => {
    for (const userId of rows[type].valid) assert.ok(isPinged(type, userId), userId)
    for (const userId of rows[type].invalid) assert.ok(!isPinged(type, userId), userId)
  })

test('no application notifies everyone by a user ID', () => {
  for (const type of chatKinds)
    for (const userId of ['all', '@all', 'ALL', 'everyone', 'channel', 'here']) assert.ok(!isPinged(type, userId))
})

const audience: Audience = {
  type: 'DingTalk',
  language: 'en',
  atAll: false,
  persons: [
    { userId: '13800138000', remark: 'Anna' },
    { userId: 'Zhang San', remark: null },
    { userId: 'manager4220', remark: '' },
  ],
}

test('a person is shown by the display name, or else by the user ID', () => {
  assert.deepEqual(calledBy(audience), [
    { name: '@Anna', isPinged: true },
    { name: '@Zhang San', isPinged: false },
    { name: '@manager4220', isPinged: true },
  ])
})

test('nobody registered means no mention', () => assert.deepEqual(calledBy({ ...audience, persons: [] }), []))

for (const type of chatKinds)
  test(`${type} mentions everyone in the language of the endpoint`, () => {
    const [everyone] = calledBy({ ...audience, type, language: 'zh', atAll: true })
    assert.deepEqual(everyone, { name: '@所有人', isPinged: callsEveryone(type) })
  })

test('only WeCom needs plain text, for everyone or for a phone number', () => {
  for (const type of chatKinds) {
    assert.equal(isPlain({ ...audience, type }), type === 'WeCom')
    assert.equal(isPlain({ ...audience, type, persons: [] }), false)
    assert.equal(isPlain({ ...audience, type, persons: [], atAll: true }), type === 'WeCom')
  }
})
