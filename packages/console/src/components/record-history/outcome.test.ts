import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messages } from '../statuses/messages.ts'
import { outcomeOf } from './outcome.ts'

test('the acceptance of a job differs from its end', () => {
  assert.equal(outcomeOf({ outcome: 'Success', status: 202 }), 'Accepted')
  assert.equal(outcomeOf({ outcome: 'Success', status: 200 }), 'Success')
  assert.equal(outcomeOf({ outcome: 'Success', status: null }), 'Success')
  assert.equal(outcomeOf({ outcome: 'Failure', status: 409 }), 'Failure')
  assert.deepEqual([messages.en.Accepted, messages.zh.Accepted], ['Accepted', '已接受'])
})
