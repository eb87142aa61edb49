import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PackageStatus, packageStatuses } from '@wharf/contract'
import { statusSteps } from './status-steps.ts'

const rows: Record<PackageStatus, readonly string[]> = {
  Uploading: ['in-progress', 'pending', 'pending', 'pending', 'pending'],
  UploadFailed: ['error', 'pending', 'pending', 'pending', 'pending'],
  Uploaded: ['success', 'success', 'pending', 'pending', 'pending'],
  Installing: ['success', 'success', 'in-progress', 'pending', 'pending'],
  InstallFailed: ['success', 'success', 'error', 'pending', 'pending'],
  Installed: ['success', 'success', 'success', 'success', 'pending'],
  Initializing: ['success', 'success', 'success', 'success', 'in-progress'],
  InitializeFailed: ['success', 'success', 'success', 'success', 'error'],
  Initialized: ['success', 'success', 'success', 'success', 'success'],
}

for (const status of packageStatuses)
  test(`the steps of a package that is ${status}`, () =>
    assert.deepEqual(
      statusSteps(status).map(({ state }) => state),
      rows[status],
    ))

test('exactly one step is the current one', () => {
  for (const status of packageStatuses)
    assert.equal(statusSteps(status).filter(({ isCurrent }) => isCurrent).length, 1, status)
})

test('a status with a step of its own has its name', () => {
  const current = statusSteps('Installing').find(({ isCurrent }) => isCurrent)
  assert.deepEqual([current?.name, current?.problem], ['Installing', undefined])
})

test('a cancelled installation is stopped, not failed', () => {
  const states = statusSteps('InstallFailed', true).map(({ state }) => state)
  assert.deepEqual(states, ['success', 'success', 'stopped', 'pending', 'pending'])
})

test('a failed status replaces the name of its step only', () => {
  const problems = statusSteps('InstallFailed').map(({ problem }) => problem)
  assert.deepEqual(problems, [undefined, undefined, 'InstallFailed', undefined, undefined])
})
