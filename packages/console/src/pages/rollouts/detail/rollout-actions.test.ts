import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ActedRollout, actionsOf, problemOf, type RolloutAction } from './rollout-actions.ts'

const running: ActedRollout = {
  state: 'Running',
  pauseReason: null,
  stopMode: null,
  promotion: 'automatic',
  userUuid: 'u1',
  currentWave: 1,
  failedCount: 0,
}
const paused = (pauseReason: ActedRollout['pauseReason']): ActedRollout => ({
  ...running,
  state: 'Paused',
  pauseReason,
})
const admin = { uuid: 'u1', role: 'admin' }
const operator = { uuid: 'u2', role: 'operator' }

const kind = (action: RolloutAction, rollout: ActedRollout, actor = operator) =>
  problemOf(action, rollout, actor)?.kind ?? 'allowed'

test('approval and promotion are offered only where the rollout awaits or has them', () => {
  assert.ok(!actionsOf(running).includes('approve'))
  assert.ok(!actionsOf(running).includes('promote'))
  const all = actionsOf({ ...running, state: 'AwaitingApproval', promotion: 'manual' })
  assert.deepEqual(all.slice(0, 3), ['approve', 'deny', 'promote'])
})

test('the state of the rollout allows an action or names the states that do', () => {
  assert.equal(kind('pause', running), 'allowed')
  assert.deepEqual(problemOf('resume', running, operator), { kind: 'state', allowed: ['Paused'] })
  assert.equal(kind('delete', running), 'state')
  assert.equal(kind('roll back', { ...running, state: 'Succeeded' }), 'allowed')
})

test('another user than the creator approves; the creator may deny', () => {
  const waiting: ActedRollout = { ...running, state: 'AwaitingApproval' }
  assert.equal(kind('approve', waiting, admin), 'ownRollout')
  assert.equal(kind('approve', waiting, operator), 'allowed')
  assert.equal(kind('deny', waiting, admin), 'allowed')
})

for (const [reason, expected] of [
  ['Operator', { pause: 'isPaused', resume: 'allowed', promote: 'notAwaitingPromotion' }],
  ['Failures', { pause: 'isPaused', resume: 'allowed', promote: 'notAwaitingPromotion' }],
  ['Gate', { pause: 'isPaused', resume: 'allowed', promote: 'notAwaitingPromotion' }],
  ['Promotion', { pause: 'isPaused', resume: 'awaitsPromotion', promote: 'allowed' }],
  ['Window', { pause: 'allowed', resume: 'awaitsWindow', promote: 'notAwaitingPromotion' }],
] as const)
  test(`paused for ${reason}`, () => {
    const actions = Object.keys(expected) as (keyof typeof expected)[]
    assert.deepEqual(Object.fromEntries(actions.map((action) => [action, kind(action, paused(reason))])), expected)
  })

test('an admin may resume outside the window', () => assert.equal(kind('resume', paused('Window'), admin), 'allowed'))

test('a retry needs a failed host', () => {
  assert.equal(kind('retry', running), 'noFailures')
  assert.equal(kind('retry', { ...running, failedCount: 1 }), 'allowed')
  assert.equal(kind('retry', { ...running, currentWave: null }), 'notStarted')
})

test('while it is being stopped, it can only be stopped more strictly', () => {
  const stopping = { ...running, stopMode: 'finish' }
  assert.equal(kind('pause', stopping), 'stopping')
  assert.equal(kind('stop', stopping), 'allowed')
})
