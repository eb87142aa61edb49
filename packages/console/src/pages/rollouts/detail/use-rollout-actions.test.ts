import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  approveRollout,
  deleteRollout,
  denyRollout,
  pauseRollout,
  promoteRollout,
  queryUser,
  resumeRollout,
  retryRollout,
} from '@wharf/contract'
import { HookPage } from '../../../data/testing/render-hook.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'

const { useRolloutActions } = await import('./use-rollout-actions.tsx')
const { useRolloutBulkActions } = await import('../use-rollout-bulk-actions.ts')

const rolloutOf = (changes: Partial<RolloutRecord>): RolloutRecord =>
  ({
    uuid: 'rollout-1',
    name: 'shop 2.0',
    state: 'Running',
    pauseReason: null,
    stopMode: null,
    promotion: 'automatic',
    userUuid: 'user-2',
    currentWave: 1,
    failedCount: 0,
    targetCount: 10,
    ...changes,
  }) as RolloutRecord

async function setup(t: TestContext, changes: Partial<RolloutRecord> = {}, role = 'operator') {
  const page = new HookPage(t, { hash: '#/rollouts/rollout-1' })
  page.server.answer(queryUser, () => ({ inventories: [{ uuid: 'user-1', role }] }))
  const hook = await page.render(useRolloutActions)
  const actions = hook.current(rolloutOf(changes))
  const actionOf = (label: string) => {
    const action = actions.find((one) => one.label === label)
    assert.ok(action, label)
    return action
  }
  return { page, hook, actions, actionOf }
}

const t9n = messages.en

/** The enabled actions of a rollout. */
const rows: readonly (readonly [Partial<RolloutRecord>, readonly string[], role?: string])[] = [
  [{ state: 'Running' }, [t9n.pause, t9n.stop, t9n.rollBack]],
  [{ state: 'Running', failedCount: 1 }, [t9n.pause, t9n.retry, t9n.stop, t9n.rollBack]],
  [{ state: 'Paused', pauseReason: 'Operator' }, [t9n.resume, t9n.stop, t9n.rollBack]],
  [{ state: 'Paused', pauseReason: 'Window' }, [t9n.pause, t9n.stop, t9n.rollBack]],
  [{ state: 'Paused', pauseReason: 'Window' }, [t9n.pause, t9n.resume, t9n.stop, t9n.rollBack], 'admin'],
  [{ state: 'Paused', pauseReason: 'Promotion', promotion: 'manual' }, [t9n.promote, t9n.stop, t9n.rollBack]],
  [{ state: 'AwaitingApproval', currentWave: null }, [t9n.approve, t9n.deny, t9n.stop]],
  [{ state: 'AwaitingApproval', currentWave: null, userUuid: 'user-1' }, [t9n.deny, t9n.stop]],
]

for (const [changes, enabled, role] of rows)
  test(`${role ?? 'operator'} can ${enabled.join(', ')} a rollout with ${JSON.stringify(changes)}`, async (t) => {
    const { actions } = await setup(t, changes, role)
    const found = actions.filter(({ disabledReason }) => disabledReason === undefined).map(({ label }) => label)
    assert.deepEqual(found, enabled)
    assert.ok(
      actions.every(({ operation }) => operation),
      'roles that may not call it cannot choose it',
    )
  })

for (const [label, operation, changes] of [
  [t9n.approve, approveRollout, { state: 'AwaitingApproval' }],
  [t9n.deny, denyRollout, { state: 'AwaitingApproval' }],
  [t9n.promote, promoteRollout, { state: 'Paused', pauseReason: 'Promotion', promotion: 'manual' }],
  [t9n.pause, pauseRollout, { state: 'Running' }],
  [t9n.retry, retryRollout, { state: 'Running', failedCount: 1 }],
  [t9n.delete, deleteRollout, { state: 'Succeeded' }],
] as const)
  test(`${label} calls ${operation.name}`, async (t) => {
    const { page, hook, actionOf } = await setup(t, changes as Partial<RolloutRecord>)
    page.server.answer(operation, () => ({ inventory: {} }))
    const action = actionOf(label)
    assert.ok('run' in action)
    await hook.act(action.run)
    assert.deepEqual(page.server.inputsOf(operation), [{ uuid: 'rollout-1' }])
    assert.deepEqual(action.call, { operation, input: { uuid: 'rollout-1' } })
    assert.equal(location.hash, label === t9n.delete ? '#/rollouts' : '#/rollouts/rollout-1')
  })

for (const [pauseReason, sent, isConfirmed] of [
  ['Operator', {}, false],
  ['Failures', {}, true],
  ['Window', { ignoreWindow: true }, true],
] as const)
  test(`resuming after ${pauseReason} ${isConfirmed ? 'is confirmed first' : 'needs no confirmation'}`, async (t) => {
    const { page, hook, actionOf } = await setup(t, { state: 'Paused', pauseReason }, 'admin')
    page.server.answer(resumeRollout, () => ({ inventory: {} }))
    const action = actionOf(t9n.resume)
    assert.ok('run' in action)
    assert.equal(action.confirm !== undefined, isConfirmed)
    await hook.act(action.run)
    assert.deepEqual(page.server.inputsOf(resumeRollout), [{ uuid: 'rollout-1', ...sent }])
    assert.deepEqual(action.call?.input, { uuid: 'rollout-1', ...sent })
  })

for (const [id, operation, includes, skips] of [
  ['pause', pauseRollout, 'Running', 'Succeeded'],
  ['delete', deleteRollout, 'Succeeded', 'Running'],
] as const)
  test(`${id} of selected rollouts skips those that are ${skips}`, async (t) => {
    const page = new HookPage(t)
    page.server.answer(operation, () => ({ inventory: {} }))
    const { current } = await page.render(useRolloutBulkActions)
    const action = current.find((one) => one.id === id)
    assert.equal(action?.problem?.(rolloutOf({ state: includes })), undefined)
    assert.ok(action?.problem?.(rolloutOf({ state: skips })))
    await action?.run(rolloutOf({}), undefined)
    assert.deepEqual(page.server.inputsOf(operation), [{ uuid: 'rollout-1' }])
    assert.equal(action?.operation, operation)
  })
