import { isActiveRollout } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { JobService } from '../../jobs/service.ts'
import type { Decision } from './decide.ts'
import type { RolloutRecords } from './rollout-records.ts'
import type { ReadSnapshot } from './snapshot.ts'
import type { RolloutRow, RolloutStore, TargetRow } from './store.ts'
import type { TargetJobs } from './target-jobs.ts'

export interface ApplyDeps {
  readonly clock: Clock
  readonly store: RolloutStore
  readonly records: RolloutRecords
  readonly jobs: Pick<JobService, 'get' | 'cancel'>
  readonly targetJobs: Pick<TargetJobs, 'start'>
}

/** Another job has the package: soon it has ended. */
const busyPauseMs = 5000

/** With these a job is refused while another one works on the same software. */
const busyCodes: ReadonlySet<string> = new Set(['SYS.1002', 'SYS.1004', 'SYS.1005'])

const inError = (reason: string): string => reason.slice(0, 4096)

/** Stores what was decided. A target's job is created in the transaction that changes the target. */
export async function applyDecision(
  tx: Tx,
  deps: ApplyDeps,
  snapshot: ReadSnapshot,
  decision: Decision,
): Promise<void> {
  const { records, clock } = deps
  const now = clock.now()
  switch (decision.kind) {
    case 'startTarget':
      return startTarget(tx, deps, snapshot, decision)
    case 'postponeTarget': {
      const { target, phase, retryDate, isAttempt, waitingSince, reason } = decision
      const attempts = (target.phase === phase ? target.attempts : 0) + Number(isAttempt)
      const change = { state: 'Waiting', phase, attempts, retryDate, waitingSince, error: inError(reason) } as const
      const { startDate } = snapshot.target(target.uuid)
      return records.changeTarget(tx, target.uuid, { ...change, startDate: startDate ?? now, endDate: null })
    }
    case 'endTarget': {
      const { target, phase, state, reason } = decision
      const change = { state, phase, retryDate: null, waitingSince: null, endDate: now }
      return records.changeTarget(tx, target.uuid, {
        ...change,
        ...(reason === null ? {} : { error: inError(reason) }),
      })
    }
    case 'cancelTarget':
      return cancelJob(tx, deps, snapshot.target(decision.target.uuid).jobUuid ?? '')
    case 'skipPending':
      await records.changeTargets(tx, snapshot.rollout.uuid, ['Pending'], { state: 'Skipped', endDate: now })
      return
    case 'changeWave':
      return changeWave(tx, deps, snapshot, decision)
    case 'changeRollout':
      return changeRollout(tx, deps, snapshot.rollout, decision)
  }
}

async function cancelJob(tx: Tx, { jobs }: ApplyDeps, uuid: string): Promise<void> {
  const { state, cancelRequested, userUuid } = await jobs.get(uuid, tx)
  if (cancelRequested === 0 && (state === 'Waiting' || state === 'Running'))
    await jobs.cancel(tx, { userUuid, role: 'operator' }, uuid)
}

async function startTarget(
  tx: Tx,
  { records, targetJobs, clock }: ApplyDeps,
  { rollout, target: rowOf }: ReadSnapshot,
  { target, phase }: Extract<Decision, { kind: 'startTarget' }>,
): Promise<void> {
  const row = rowOf(target.uuid)
  const now = clock.now()
  const isSamePhase = row.phase === phase
  const attempts = (isSamePhase ? row.attempts : 0) + 1
  const started: Partial<TargetRow> = { phase, attempts, retryDate: null, waitingSince: null, endDate: null }
  try {
    const change = await targetJobs.start(tx, rollout, row, phase)
    await records.changeTarget(tx, row.uuid, { ...started, startDate: row.startDate ?? now, ...change })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const failed = { ...started, error: inError(`${error.code} ${error.message}`), startDate: row.startDate ?? now }
    const waitingSince = (isSamePhase ? row.waitingSince : null) ?? now
    const isWaited = busyCodes.has(error.code) && now - waitingSince < rollout.targetDeadlineSeconds * 1000
    const change: Partial<TargetRow> = isWaited
      ? { state: 'Waiting', attempts: attempts - 1, retryDate: now + busyPauseMs, waitingSince }
      : { state: phase === 'Restore' ? 'RollbackFailed' : 'Failed', endDate: now }
    await records.changeTarget(tx, row.uuid, { ...failed, ...change })
  }
}

async function changeWave(
  tx: Tx,
  { records, clock }: ApplyDeps,
  { rollout, waves }: ReadSnapshot,
  { number, state, soakUntil }: Extract<Decision, { kind: 'changeWave' }>,
): Promise<void> {
  const wave = waves.find((one) => one.number === number)
  if (wave === undefined) return
  const now = clock.now()
  const isStarted = wave.state === 'Pending' && state === 'Running'
  const isEnded = !['Running', 'Soaking', 'AwaitingPromotion'].includes(state)
  await records.changeWave(tx, wave.uuid, {
    state,
    ...(soakUntil === undefined ? {} : { soakUntil }),
    ...(isStarted ? { startDate: now, gateSince: now } : {}),
    ...(isEnded ? { endDate: now, startDate: wave.startDate ?? (state === 'Skipped' ? null : now) } : {}),
  })
  if (isStarted) await records.update(tx, rollout.uuid, { currentWave: number, startDate: rollout.startDate ?? now })
}

async function changeRollout(
  tx: Tx,
  { records, store, clock }: ApplyDeps,
  rollout: RolloutRow,
  { state, pauseReason, pausedUntil = null, reason, rollBackScope }: Extract<Decision, { kind: 'changeRollout' }>,
): Promise<void> {
  const isEnded = !isActiveRollout(state)
  await records.update(tx, rollout.uuid, {
    state,
    pauseReason: pauseReason ?? null,
    pausedUntil,
    // what made it roll back remains the reason at its end
    ...(reason === undefined && isEnded ? {} : { reason: reason ?? null }),
    ...(rollBackScope === undefined ? {} : { rollBackScope, isRollBackAutomatic: 1 }),
    ...(isEnded ? { endDate: clock.now(), stopMode: null } : {}),
  })
  if (isEnded) await store.closeTargets(tx, rollout.uuid)
}
