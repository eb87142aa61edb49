import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetStates } from '@wharf/contract'
import { countGroups, countStates, groupOf, signs } from './target-counts.ts'

test('every state has a sign of its own', () => {
  assert.equal(new Set(targetStates.map((state) => signs[state])).size, targetStates.length)
})

test('states that count against maxFailures are failures; skipped hosts are not', () => {
  const of = (group: string) => targetStates.filter((state) => groupOf(state) === group)
  assert.deepEqual(of('failed'), ['Failed', 'TimedOut', 'Unreachable', 'RollbackFailed'])
  assert.deepEqual(of('skipped'), ['Skipped'])
  assert.deepEqual(of('succeeded'), ['Succeeded', 'AlreadyInstalled'])
  assert.deepEqual(of('busy'), ['Waiting', 'Transferring', 'Installing', 'Verifying'])
})

test('counts are in the order of the states, without those that no host has', () => {
  const targets = [{ state: 'Failed' }, { state: 'Pending' }, { state: 'Failed' }] as const
  assert.deepEqual(countStates(targets), [
    { state: 'Pending', count: 1 },
    { state: 'Failed', count: 2 },
  ])
  assert.deepEqual(countGroups(targets), { pending: 1, busy: 0, succeeded: 0, failed: 2, skipped: 0, restored: 0 })
})
