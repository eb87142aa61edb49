import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  alertStatuses,
  auditOutcomes,
  connectionStatuses,
  deliveryStatuses,
  jobStates,
  packageHealths,
  packageStatuses,
  releaseStates,
  resourceStates,
  rolloutStates,
  targetStates,
  waveStates,
} from '@wharf/contract'
import { messages } from './messages.ts'
import { statusName } from './status-name.ts'

test('every status of the API has a name in both languages', () => {
  const all = [
    alertStatuses,
    auditOutcomes,
    connectionStatuses,
    deliveryStatuses,
    jobStates,
    packageHealths,
    packageStatuses,
    releaseStates,
    resourceStates,
    rolloutStates,
    targetStates,
    waveStates,
  ].flat()
  for (const names of [messages.en, messages.zh])
    assert.deepEqual(
      all.filter((status) => !Object.hasOwn(names, status)),
      [],
    )
})

test('an unknown status is shown as it is, also one with the name of a method', () => {
  assert.equal(statusName(messages.zh, 'InstallFailed'), '安装失败')
  assert.equal(statusName(messages.en, 'Hibernating'), 'Hibernating')
  assert.equal(statusName(messages.en, 'toString'), 'toString')
})
