import { operation } from './operation.ts'
import { rollBackScopes, stopModes } from './rollout-fields.ts'
import { RolloutInventory } from './rollout-records.ts'
import { Choice, Flag, optional } from './schema.ts'

const action = {
  resource: 'rollouts',
  method: 'PUT',
  path: '/v1/rollouts/{uuid}/actions',
  since: 'wharf-1.1.0',
  permission: 'operate',
  answer: { inventory: RolloutInventory.schema },
} as const

export const approveRollout = operation({
  ...action,
  name: 'ApproveRollout',
  client: 'rollouts.approve',
  structure: 'approveRollout',
  summary: 'Approve a rollout that another user has created',
  fields: {},
  errors: ['SYS.1003', 'SYS.1005'],
})

export const denyRollout = operation({
  ...action,
  name: 'DenyRollout',
  client: 'rollouts.deny',
  structure: 'denyRollout',
  summary: 'Deny a rollout that awaits approval; it ends',
  fields: {},
  errors: ['SYS.1003', 'SYS.1005'],
})

export const pauseRollout = operation({
  ...action,
  name: 'PauseRollout',
  client: 'rollouts.pause',
  structure: 'pauseRollout',
  summary: 'Pause a rollout: no further host is started, and running hosts finish',
  fields: {},
  errors: ['SYS.1003', 'SYS.1005'],
})

export const resumeRollout = operation({
  ...action,
  name: 'ResumeRollout',
  client: 'rollouts.resume',
  structure: 'resumeRollout',
  summary: 'Resume a paused rollout; failures and alerts so far are accepted',
  fields: {
    ignoreWindow: optional(
      Flag({ description: 'From now on work outside the maintenance window too; requires the role admin' }),
    ),
  },
  errors: ['SYS.1003', 'SYS.1005'],
})

export const promoteRollout = operation({
  ...action,
  name: 'PromoteRollout',
  client: 'rollouts.promote',
  structure: 'promoteRollout',
  summary: 'Start the next wave of a rollout with manual promotion',
  fields: {},
  errors: ['SYS.1003', 'SYS.1005'],
})

export const retryRollout = operation({
  ...action,
  name: 'RetryRollout',
  client: 'rollouts.retry',
  structure: 'retryRollout',
  summary: 'Try the failed hosts of a rollout again, and only those',
  fields: {},
  errors: ['SYS.1002', 'SYS.1003', 'SYS.1005'],
})

export const stopRollout = operation({
  ...action,
  name: 'StopRollout',
  client: 'rollouts.stop',
  structure: 'stopRollout',
  summary: 'Stop a rollout: pending hosts are skipped, running ones finish or are cancelled and undone',
  fields: {
    running: optional(Choice(stopModes, { description: 'What happens to running hosts; defaults to finish' })),
  },
  errors: ['SYS.1003', 'SYS.1005'],
})

export const rollBackRollout = operation({
  ...action,
  name: 'RollBackRollout',
  client: 'rollouts.rollBack',
  structure: 'rollBackRollout',
  summary: 'Restore what the changed hosts of the current wave, or of the whole rollout, had before',
  fields: {
    scope: optional(Choice(rollBackScopes, { description: 'The current wave or the whole rollout; defaults to all' })),
  },
  errors: ['SYS.1002', 'SYS.1003', 'SYS.1005'],
})
