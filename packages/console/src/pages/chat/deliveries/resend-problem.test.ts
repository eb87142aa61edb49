import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryStatuses } from '@wharf/contract'
import { messages } from '../../../features/deliveries/messages.ts'
import { resendProblem } from './resend-problem.ts'

test('nothing is selected', () => assert.equal(resendProblem([]), 'selectFirst'))

for (const status of deliveryStatuses)
  test(`a message that is ${status} can${status === 'Failed' ? '' : 'not'} be resent`, () =>
    assert.equal(resendProblem([{ status }]), status === 'Failed' ? undefined : 'onlyFailed'))

test('all selected messages must have failed', () => {
  assert.equal(resendProblem([{ status: 'Failed' }, { status: 'Failed' }]), undefined)
  assert.equal(resendProblem([{ status: 'Failed' }, { status: 'Delivered' }]), 'onlyFailed')
  assert.equal(resendProblem([{}]), 'onlyFailed')
})

test('every problem has a message', () => {
  for (const key of ['selectFirst', 'onlyFailed'] as const) assert.ok(messages.en[key] && messages.zh[key])
})
