import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { isUnavailable } from '@wharf/database/failures.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { diskFailure } from '@wharf/platform/disk-failure.ts'
import { NotRecordedError } from '../audit/not-recorded.ts'
import type { JobContext } from './definition.ts'
import { withGracePeriod } from './grace-period.ts'
import { databaseRetryMs, type JobRecord } from './job-record.ts'
import { reviveFailure, storeFailure } from './job-result.ts'
import type { JobRow } from './job-row.ts'
import type { JobState } from './job-state.ts'
import type { Lease } from './lease.ts'
import { asOwner, type Ownership } from './ownership.ts'
import type { RunnerDeps } from './runner-deps.ts'

interface StepWorkDeps extends Pick<RunnerDeps, 'sealed' | 'log' | 'limits'> {
  readonly row: JobRow
  readonly state: JobState
  readonly record: JobRecord
  readonly lease: Lease
}

interface Attempt {
  /** Aborts the work. */
  readonly signal: AbortSignal
  /** Of an undo, which has retries of its own. */
  readonly isUndo?: boolean
  /** The progress of the whole job, given that of this work in percent. */
  overallProgress?(percent: number): number
}

/** The work of one step at a time, or of its undo: its context, its right to act, and its failure. */
export class StepWork {
  readonly #deps: StepWorkDeps
  readonly #recordedListeners = new Set<(isRecorded: boolean) => void>()

  constructor(deps: StepWorkDeps) {
    this.#deps = deps
  }

  /** Work that finds the database unavailable is repeated when it is back, as after a crash: it may happen twice. */
  async attempt(work: (context: JobContext) => Promise<unknown>, attempt: Attempt): Promise<unknown> {
    const { signal } = attempt
    for (;;) {
      try {
        return await this.#attemptOnce(work, attempt)
      } catch (error) {
        const isUnrecorded = error instanceof NotRecordedError
        if (signal.aborted || (!isUnrecorded && (error instanceof ApiError || !isUnavailable(error)))) throw error
        const reason = isUnrecorded ? 'no audit entry could be written' : 'the database was unavailable'
        this.#deps.record.log(`${reason}; this step starts again`)
      }
      await delay(databaseRetryMs, undefined, { signal })
    }
  }

  /** The result of the step is stored, or the lease was given up before. */
  notifyRecorded(isRecorded: boolean): void {
    for (const listener of this.#recordedListeners) listener(isRecorded)
    this.#recordedListeners.clear()
  }

  /** Work that was aborted fails for the reason of its signal, whatever it throws. */
  failureOf(error: unknown, signal: AbortSignal): ApiError {
    if (signal.aborted && signal.reason instanceof ApiError) return signal.reason
    const { row, record, log } = this.#deps
    const mask = (text: string): string => record.mask(text)
    if (error instanceof ApiError) return reviveFailure(storeFailure(error, mask))
    const { uuid: job, operation } = row
    log.error({ err: mask(inspect(error)), job, operation }, 'a job step threw')
    return diskFailure(error) ?? new ApiError('SYS.1000', `${operation} failed because of an internal error`)
  }

  context({ signal, overallProgress }: Attempt, isOver = () => false): JobContext {
    const { row, state, record } = this.#deps
    const { accountUuid, userUuid, uuid, subjectUuid } = row
    const requireRunning = (): void => {
      if (isOver()) throw signal.reason ?? new Error('this step has ended')
    }
    return {
      jobUuid: uuid,
      subjectUuid,
      caller: { accountUuid, userUuid },
      input: state.input,
      stepResults: state.stepResults,
      signal,
      log: (line) => record.log(line),
      progress: (percent) => {
        if (!isOver() && overallProgress) record.progress = overallProgress(percent)
      },
      maskLine: (line) => record.maskLine(line),
      conceal: (secret) => record.conceal(secret),
      write: async (work) => {
        requireRunning()
        return record.write(work)
      },
      checkpoint: async (values) => {
        requireRunning()
        state.addResults(values as object)
        await record.save(state.sealCheckpoint(record.concealed))
      },
    }
  }

  /** Work that has ended, or did not stop within the grace period, can change nothing any more: the undo has started. */
  async #attemptOnce(work: (context: JobContext) => Promise<unknown>, attempt: Attempt): Promise<unknown> {
    let isOver = false
    const context = this.context(attempt, () => isOver)
    try {
      const running = asOwner(this.#ownership(attempt), () => work(context))
      return await withGracePeriod(running, attempt.signal, this.#deps.limits.stopGraceMs)
    } finally {
      isOver = true
    }
  }

  #ownership({ isUndo = false }: Attempt): Ownership {
    const { row, lease, sealed, record } = this.#deps
    return {
      ...lease.ownership,
      subjectUuid: row.subjectUuid,
      digest: (text) => sealed.digest(row.uuid, text),
      onRecorded: (listener) => void this.#recordedListeners.add(listener),
      ...(isUndo ? {} : { log: (line: string) => record.log(line) }),
    }
  }
}
