import type { ErrorCode, TargetPhase, TargetState } from '@wharf/contract'
import { retryPauseMs } from './decide.ts'

/** Failures that another attempt can fix: a lost connection, a timeout, the loss of a node. */
const retried: ReadonlySet<ErrorCode> = new Set([
  'HOST.1003',
  'HOST.1010',
  'BS.1003',
  'BS.1500',
  'SYS.1001',
  'SYS.1010',
  'SYS.1012',
  'SoftwarePackage.1901',
])
const connections: ReadonlySet<ErrorCode> = new Set(['HOST.1003', 'HOST.1010'])

interface EndedJob {
  readonly phase: TargetPhase
  readonly code: ErrorCode
  /** A step could not be undone: the host may have neither the old version nor the new one. */
  readonly isUndoFailed: boolean
  readonly attempts: number
  readonly retries: number
  /** The rollout is being stopped with running targets cancelled. */
  readonly isStopCancelled: boolean
  /** The rollout continues: a target may be tried again. */
  readonly isContinued: boolean
  readonly now: number
}

export interface SettledFailure {
  readonly state: TargetState
  readonly retryDate: number | null
}

/** What becomes of a target whose job has failed and was undone. */
export function settleFailure(job: EndedJob): SettledFailure {
  const { phase, code, isUndoFailed, attempts, retries, now } = job
  const ended = (state: TargetState): SettledFailure => ({ state, retryDate: null })
  if (phase === 'Install' && isUndoFailed) return ended('RollbackFailed')
  if (phase === 'Install' && code === 'SYS.1017' && job.isStopCancelled) return ended('RolledBack')
  if (job.isContinued && retried.has(code) && attempts <= retries)
    return { state: 'Waiting', retryDate: now + retryPauseMs }
  if (phase === 'Restore') return ended('RollbackFailed')
  if (code === 'SYS.1001') return ended('TimedOut')
  return ended(connections.has(code) ? 'Unreachable' : 'Failed')
}
