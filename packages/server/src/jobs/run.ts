import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { withSource } from '../audit/audit-source.ts'
import type { AnyStep, JobContext, JobDefinition } from './definition.ts'
import { leftOnItsNode } from './job-claim-store.ts'
import { JobEnd } from './job-end.ts'
import { JobRecord } from './job-record.ts'
import type { JobRow } from './job-row.ts'
import { type JobSource, jobSource } from './job-source.ts'
import { JobState, type KnownInput } from './job-state.ts'
import { JobUndo } from './job-undo.ts'
import { Lease } from './lease.ts'
import type { RunnerDeps } from './runner-deps.ts'
import { overallProgress, resumeIndex, stepPosition } from './step-position.ts'
import { StepWork } from './step-work.ts'

/** One job that this process owns, from the step to resume at to its end. */
export class JobRun {
  readonly row: JobRow
  readonly lease: Lease
  readonly #deps: RunnerDeps
  readonly #definition: JobDefinition
  readonly #state: JobState
  readonly #record: JobRecord
  readonly #work: StepWork
  readonly #undo: JobUndo
  readonly #end: JobEnd
  /** Aborted by cancel and deadline; it stops the steps, and not their undo. */
  readonly #stop = new AbortController()
  #isEnding = false
  /** Of the changes that it makes: the caller that started it. */
  readonly #source: JobSource

  /** `leasedAt` is by `performance.now()`, before the query that leased the job. */
  constructor(deps: RunnerDeps, definition: JobDefinition, row: JobRow, leasedAt: number, known?: KnownInput) {
    this.row = row
    this.#deps = deps
    this.#definition = definition
    this.#source = jobSource(row, deps.store)
    const lease = new Lease(deps, row, leasedAt)
    const record = new JobRecord(deps, row, this.#source, lease.detached)
    const state = new JobState(row, deps.sealed, known)
    const work = new StepWork({ ...deps, row, state, record, lease })
    this.lease = lease
    this.#record = record
    this.#state = state
    this.#work = work
    this.#undo = new JobUndo({ ...deps, steps: definition.steps, row, state, record, work, lease })
    this.#end = new JobEnd({ ...deps, definition, row, state, record })
    onAbort(lease.signal, () => this.#stop.abort(lease.signal.reason))
    if (row.cancelRequested) this.cancel()
  }

  /** Its last write, which is fenced, is being made: its row may have no owner any more. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  cancel(): void {
    this.#stop.abort(this.#cancelError())
  }

  /** Returns when the job has its result, or throws Detached. */
  execute(): Promise<void> {
    return withSource(this.#source, () => this.#execute())
  }

  async #execute(): Promise<void> {
    const { row } = this
    const expire = (): void => this.#stop.abort(this.#deadlineError())
    const untilDeadline = row.deadline - this.#deps.clock.now()
    // immediately: a step after the deadline must not even start
    if (untilDeadline <= 0) expire()
    const timer = setTimeout(expire, Math.max(untilDeadline, 0))
    try {
      if (row.fence > 1) await this.#record.continueLog(this.#state.concealed)
      if (row.state === 'Undoing') {
        await this.#undo.resume(resumeIndex(this.#steps, row))
        await this.#fail(this.#state.storedFailure)
      } else await this.#runSteps()
    } catch (error) {
      if (!this.lease.signal.aborted) throw error
      await this.#record.flushLines()
      throw this.lease.signal.reason
    } finally {
      clearTimeout(timer)
      this.#record.close()
      this.#work.notifyRecorded(false)
    }
  }

  /** Ends a job whose node is lost: nothing of it can be undone from here. */
  endWithoutNode(nodeUuid: string, silentSince: string): Promise<void> {
    return withSource(this.#source, () => this.#endWithoutNode(nodeUuid, silentSince))
  }

  async #endWithoutNode(nodeUuid: string, silentSince: string): Promise<void> {
    await this.#record.continueLog(this.#state.concealed)
    const { operation, state } = this.row
    const cause = this.#stop.signal.aborted ? this.#cancelError() : this.#deadlineError()
    const failure =
      state === 'Undoing'
        ? this.#state.storedFailure
        : new ApiError(
            'SYS.1012',
            `${cause.message}; management node ${nodeUuid}, which it needs, has been silent since ${silentSince}. What ${operation} has started there may still run, and what it has created there stays, until that node is back`,
            { cause },
          )
    this.#record.log(`ended by another node than ${nodeUuid}: ${failure.code} ${failure.message}`, 'failure')
    for (const { name, undo } of this.#steps.slice(0, resumeIndex(this.#steps, this.row) + 1).toReversed())
      if (undo) this.#state.undoFailures.push({ step: name, failure })
    await this.#fail(failure, this.#definition.removeLeftovers ? leftOnItsNode : null)
  }

  /** Runs on the job's own node, after another node ended the job. */
  async removeLeftovers(): Promise<void> {
    const { undoTimeoutMs } = this.#deps.limits
    const signal = AbortSignal.any([this.lease.signal, AbortSignal.timeout(undoTimeoutMs)])
    await this.#record.continueLog(this.#state.concealed)
    try {
      const remove = async (context: JobContext) => this.#definition.removeLeftovers?.(context)
      await this.#work.attempt(remove, { signal, isUndo: true })
      this.#record.log('its management node is back and has removed what this job left there')
    } catch (error) {
      this.lease.signal.throwIfAborted()
      this.#record.log(
        `its management node is back and could not remove what this job left there: ${this.#record.mask(String(error))}`,
      )
    } finally {
      this.#record.close()
    }
    await this.#record.save({ owner: null })
  }

  get #steps(): readonly AnyStep[] {
    return this.#definition.steps
  }

  #cancelError(): ApiError {
    return new ApiError('SYS.1017', `${this.row.operation} was cancelled`)
  }

  #deadlineError(): ApiError {
    const limit = Math.round((this.row.deadline - this.row.createDate) / 1000)
    return new ApiError(
      'SYS.1001',
      `${this.row.operation} did not end within ${limit} s; repeat it with a longer time limit (X-API-Timeout)`,
    )
  }

  async #runSteps(): Promise<void> {
    const steps = this.#steps
    const { signal } = this.#stop
    let position = resumeIndex(steps, this.row)
    try {
      for (; position < steps.length; position++) {
        const step = steps[position] as AnyStep
        signal.throwIfAborted()
        this.#record.log(`step ${step.name}`, 'step')
        this.#state.addResults(await this.#runStep(step, position))
        if (position < steps.length - 1) await this.#completeStep(position + 1)
      }
      this.#isEnding = true
      await this.#end.succeed(this.#work.context({ signal }))
      this.#work.notifyRecorded(true)
    } catch (error) {
      this.#isEnding = false
      this.lease.signal.throwIfAborted()
      const failure = this.#work.failureOf(error, signal)
      await this.#undo.start(Math.min(position, steps.length - 1), failure)
      await this.#fail(failure)
    }
  }

  async #runStep(step: AnyStep, position: number): Promise<object | undefined> {
    const { signal } = this.#stop
    const progress = (percent: number): number => overallProgress(this.#steps, position, percent)
    const run = async (context: JobContext): Promise<unknown> => step.run(context)
    const results = await this.#work.attempt(run, { signal, overallProgress: progress })
    signal.throwIfAborted()
    return results as object | undefined
  }

  async #completeStep(next: number): Promise<void> {
    this.#record.progress = overallProgress(this.#steps, next, 0)
    const checkpoint = this.#state.sealCheckpoint(this.#record.concealed)
    await this.#record.save({ ...stepPosition(this.#steps, next), ...checkpoint })
    this.#work.notifyRecorded(true)
  }

  async #fail(failure: ApiError, owner: string | null = null): Promise<void> {
    this.#isEnding = true
    await this.#end.fail(this.#work.context({ signal: this.lease.signal }), failure, owner)
    this.#work.notifyRecorded(true)
  }
}
