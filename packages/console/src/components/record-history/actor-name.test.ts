import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorName } from './actor-name.ts'
import { messages } from './messages.ts'

test('an action of Wharf for a user differs from an action of the user', () => {
  const names = (entry: Parameters<typeof actorName>[0]) => [
    actorName(entry, messages.en),
    actorName(entry, messages.zh),
  ]
  assert.deepEqual(names({ actorKind: 'Session', actorName: 'admin' }), ['admin', 'admin'])
  assert.deepEqual(names({ actorKind: 'System', actorName: 'admin' }), ['Wharf for admin', 'Wharf（代表 admin）'])
  assert.deepEqual(names({ actorKind: 'System', actorName: null }), ['Wharf', 'Wharf'])
  assert.deepEqual(names({ actorName: null }), ['Unknown', '未知'])
})
