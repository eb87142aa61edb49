import { setTimeout as delay } from 'node:timers/promises'
import { Deadline } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { AnyStep } from './definition.ts'
import type { JobRecord } from './job-record.ts'
import { storeFailure } from './job-result.ts'
import type { JobRow } from './job-row.ts'
import type { JobState } from './job-state.ts'
import type { Lease } from './lease.ts'
import type { RunnerDeps } from './runner-deps.ts'
import { lastUndoable, overallProgress, stepPosition } from './step-position.ts'
import type { StepWork } from './step-work.ts'

interface JobUndoDeps extends Pick<RunnerDeps, 'sealed' | 'limits'> {
  readonly steps: readonly AnyStep[]
  readonly row: JobRow
  readonly state: JobState
  readonly record: JobRecord
  readonly work: StepWork
  readonly lease: Lease
}

/** Undoes the steps of a failed job, from the last to the first. */
export class JobUndo {
  readonly #deps: JobUndoDeps

  constructor(deps: JobUndoDeps) {
    this.#deps = deps
  }

  /** After the failure of the step at this position. */
  async start(position: number, failure: ApiError): Promise<void> {
    const { steps, row, record, sealed } = this.#deps
    record.log(`failed: ${failure.code} ${failure.message}`, 'failure')
    const first = lastUndoable(steps, position)
    if (first < 0) return
    await this.#save(first, {
      state: 'Undoing',
      errorCode: failure.code,
      sealedOutcome: sealed.sealResult(row.uuid, { failure: storeFailure(failure) }),
    })
    await this.resume(first)
  }

  async resume(from: number): Promise<void> {
    const { steps } = this.#deps
    for (let position = from; position >= 0; ) {
      await this.#undoStep(steps[position] as AnyStep, position)
      position = lastUndoable(steps, position - 1)
      if (position >= 0) await this.#save(position)
    }
  }

  async #save(position: number, change: Partial<JobRow> = {}): Promise<void> {
    const { steps, state, record, work } = this.#deps
    await record.save({ ...stepPosition(steps, position), ...state.sealCheckpoint(record.concealed), ...change })
    work.notifyRecorded(true)
  }

  /** An undo that fails is retried, then logged; it never hides the first error. */
  async #undoStep(step: AnyStep, position: number): Promise<void> {
    const { limits, record, state, lease } = this.#deps
    const { undoRetryMs } = limits
    record.log(`undo ${step.name}`, 'undo')
    for (const [attempt, pause] of [...undoRetryMs, 0].entries()) {
      const failure = await this.#tryUndo(step, position)
      if (failure === undefined) return
      const isLast = attempt === undoRetryMs.length || step.isUndoRetried?.(failure) === false
      const text = `undo ${step.name} failed: ${failure.code} ${failure.message}`
      record.log(text, isLast ? 'undoFailure' : null)
      if (isLast) return void state.undoFailures.push({ step: step.name, failure })
      await delay(pause, undefined, { signal: lease.signal })
    }
  }

  async #tryUndo(step: AnyStep, position: number): Promise<ApiError | undefined> {
    const { steps, limits, lease, work } = this.#deps
    const { undoTimeoutMs = limits.undoTimeoutMs } = step
    const deadlineError = new ApiError(
      'SYS.1001',
      `the undo of ${step.name} did not end within ${undoTimeoutMs / 1000} s`,
    )
    using deadline = new Deadline(lease.signal, undoTimeoutMs, deadlineError)
    const { signal } = deadline
    const progress = (percent: number): number => overallProgress(steps, position, percent)
    try {
      await work.attempt(async (context) => step.undo?.(context), { signal, isUndo: true, overallProgress: progress })
      return undefined
    } catch (error) {
      lease.signal.throwIfAborted()
      return work.failureOf(error, signal)
    }
  }
}
