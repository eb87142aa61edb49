import { hostErrors, operation, storageErrors } from '@wharf/contract'

/**
 * The jobs that rollouts start on hosts. No route has their path, which names what they work on, a package: only the
 * coordinator starts them, and users see them as jobs. The contract names their steps and titles (`rolloutJobs`).
 */
const internal = {
  resource: 'rollouts',
  method: 'POST',
  path: '/v1/software-package/{uuid}/actions',
  structure: 'params',
  since: 'wharf-1.1.0',
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 1800,
  fields: {},
  answer: {},
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1012', 'SYS.1016', ...hostErrors, ...storageErrors],
} as const

export const rollOutRelease = operation({
  ...internal,
  name: 'RollOutRelease',
  summary: 'Install a release on a host of a rollout',
})

export const verifyRelease = operation({
  ...internal,
  name: 'VerifyRelease',
  summary: 'Verify a release on a host of a rollout again, after the soak of its wave',
})

export const rollBackRelease = operation({
  ...internal,
  name: 'RollBackRelease',
  summary: 'Install the version again that a host had before a rollout',
})

export const removeRelease = operation({
  ...internal,
  name: 'RemoveRelease',
  summary: 'Remove a release from a host that had none before a rollout',
})
