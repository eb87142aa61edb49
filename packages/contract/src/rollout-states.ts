export const rolloutStates = [
  'AwaitingApproval',
  'Scheduled',
  'Running',
  'Paused',
  'RollingBack',
  'Succeeded',
  'Failed',
  'Stopped',
  'Denied',
  'RolledBack',
  'RollbackFailed',
] as const
export type RolloutState = (typeof rolloutStates)[number]

export const activeRolloutStates = ['AwaitingApproval', 'Scheduled', 'Running', 'Paused', 'RollingBack'] as const

export const isActiveRollout = (state: RolloutState): boolean =>
  (activeRolloutStates as readonly RolloutState[]).includes(state)

export const pauseReasons = ['Operator', 'Promotion', 'Failures', 'Gate', 'Window'] as const
export type PauseReason = (typeof pauseReasons)[number]

export const waveStates = [
  'Pending',
  'Running',
  'Soaking',
  'AwaitingPromotion',
  'Succeeded',
  'Failed',
  'Skipped',
  'RolledBack',
] as const
export type WaveState = (typeof waveStates)[number]

export const targetStates = [
  'Pending',
  'Waiting',
  'Transferring',
  'Installing',
  'Verifying',
  'Succeeded',
  'AlreadyInstalled',
  'Failed',
  'TimedOut',
  'Unreachable',
  'Skipped',
  'RolledBack',
  'RollbackFailed',
] as const
export type TargetState = (typeof targetStates)[number]

/** The states of a target that count against `maxFailures`. */
export const failedTargetStates = ['Failed', 'TimedOut', 'Unreachable', 'RollbackFailed'] as const

/** The states of a target that is being worked on, or that waits for its host or a retry. */
export const busyTargetStates = ['Waiting', 'Transferring', 'Installing', 'Verifying'] as const

export const targetPhases = ['Install', 'Verify', 'Restore'] as const
export type TargetPhase = (typeof targetPhases)[number]

export const planActions = ['Install', 'Upgrade', 'Downgrade', 'None'] as const
export type PlanAction = (typeof planActions)[number]

/** The states that allow each action: the server rejects calls and clients disable buttons by this table. */
export const allowedRolloutActions = {
  approve: ['AwaitingApproval'],
  deny: ['AwaitingApproval'],
  pause: ['Scheduled', 'Running', 'Paused'],
  resume: ['Paused'],
  promote: ['Paused'],
  retry: ['Running', 'Paused', 'Succeeded', 'Failed'],
  stop: activeRolloutStates,
  'roll back': ['Running', 'Paused', 'Succeeded', 'Failed', 'Stopped', 'RolledBack', 'RollbackFailed'],
  delete: ['Succeeded', 'Failed', 'Stopped', 'Denied', 'RolledBack', 'RollbackFailed'],
} as const satisfies Record<string, readonly RolloutState[]>

/** The jobs that the server starts on the hosts of rollouts; no operation of the API starts them. */
export const rolloutJobs = ['RemoveRelease', 'RollBackRelease', 'RollOutRelease', 'VerifyRelease'] as const
