import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsOfView, viewIn } from './rollout-views.ts'

test('the view is in the URL; anything else shows all rollouts', () => {
  assert.equal(viewIn(new URLSearchParams('view=waiting')), 'waiting')
  assert.equal(viewIn(new URLSearchParams('view=toString')), 'all')
})

test('a view adds its condition', () => {
  assert.deepEqual(conditionsOfView('all'), [])
  assert.deepEqual(conditionsOfView('active'), ['state?=AwaitingApproval,Scheduled,Running,Paused,RollingBack'])
  assert.deepEqual(conditionsOfView('waiting'), ['state?=AwaitingApproval,Paused'])
})
