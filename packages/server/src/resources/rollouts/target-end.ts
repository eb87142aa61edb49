import { isActiveRollout, type TargetState } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { RolloutRecords } from './rollout-records.ts'
import { settleFailure } from './settle-failure.ts'
import type { RolloutStore, TargetRow } from './store.ts'

/** The input of every job of a target. */
export interface TargetInput {
  readonly targetUuid: string
  readonly rolloutUuid: string
}

interface TargetEndDeps {
  readonly clock: Clock
  readonly store: RolloutStore
  readonly records: RolloutRecords
}

interface FailedJob {
  readonly failure: ApiError
  /** A step could not be undone. */
  readonly isUndoFailed: boolean
}

/** The end of a target's job, in the commit that ends the job. */
export class TargetEnd {
  readonly #deps: TargetEndDeps

  constructor(deps: TargetEndDeps) {
    this.#deps = deps
  }

  /** A step of the job has started. */
  async mark(tx: Tx, { targetUuid }: TargetInput, state: TargetState): Promise<void> {
    const target = await this.#deps.store.findTarget(targetUuid, tx)
    if (target !== undefined && target.state !== state) await this.#deps.records.changeTarget(tx, targetUuid, { state })
  }

  async succeed(tx: Tx, { targetUuid, rolloutUuid }: TargetInput, change: Partial<TargetRow>): Promise<void> {
    const { records, clock } = this.#deps
    const ended = { retryDate: null, waitingSince: null, error: null, endDate: clock.now() }
    await records.changeTarget(tx, targetUuid, { ...ended, ...change })
    records.reportProgress(tx, rolloutUuid)
  }

  /** What the installation has left, the second verification confirms. */
  async succeedVerification(tx: Tx, input: TargetInput): Promise<void> {
    const target = await this.#deps.store.findTarget(input.targetUuid, tx)
    const state = target?.isChanged === 1 ? 'Succeeded' : 'AlreadyInstalled'
    await this.succeed(tx, input, { state, isVerified: 1 })
  }

  async fail(tx: Tx, { targetUuid, rolloutUuid }: TargetInput, { failure, isUndoFailed }: FailedJob): Promise<void> {
    const { records, store, clock } = this.#deps
    const target = await store.findTarget(targetUuid, tx)
    const rollout = await records.find(rolloutUuid, tx)
    if (target === undefined || rollout === undefined) return
    const now = clock.now()
    const { phase, attempts } = target
    const isForward = phase !== 'Restore'
    const settled = settleFailure({
      phase,
      code: failure.code,
      isUndoFailed,
      attempts,
      retries: rollout.retries,
      isStopCancelled: rollout.stopMode === 'cancel',
      isContinued:
        rollout.stopMode === null && isActiveRollout(rollout.state) && !(isForward && rollout.state === 'RollingBack'),
      now,
    })
    await records.changeTarget(tx, targetUuid, {
      ...settled,
      waitingSince: null,
      error: `${failure.code} ${failure.message}`.slice(0, 4096),
      ...(phase === 'Install' ? { isChanged: Number(isUndoFailed) } : {}),
      ...(settled.state === 'Waiting' ? {} : { endDate: now }),
    })
    records.reportProgress(tx, rolloutUuid)
  }
}
