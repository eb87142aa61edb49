import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { type ErrorCode, resourceTypeOf } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { isUnavailable } from '@wharf/database/failures.ts'
import { Deadline, onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { diskFailure } from '@wharf/platform/disk-failure.ts'
import { type AuditSource, withSource } from '../audit/audit-source.ts'
import { NotRecordedError } from '../audit/not-recorded.ts'
import type { JobContext, JobDefinition, JobFailure, Step, UndoFailure } from './definition.ts'
import { withGracePeriod } from './grace-period.ts'
import { leftOnItsNode } from './job-claim-store.ts'
import { jobFailed } from './job-failed.ts'
import { databaseRetryMs, JobRecord } from './job-record.ts'
import { endState, type JobResult, reviveFailure, storeFailure } from './job-result.ts'
import type { JobRow } from './job-row.ts'
import { heldChanges, jobSource } from './job-source.ts'
import { Lease } from './lease.ts'
import { asOwner, type Ownership } from './ownership.ts'
import type { RunnerDeps } from './runner-deps.ts'
import { lastUndoable, overallProgress, resumeIndex, stepPosition } from './step-position.ts'

type AnyStep = Step<unknown, unknown>

export interface Leased {
  readonly owner: string
  /** By `performance.now()`, before the query that leased the job. */
  readonly leasedAt: number
}

/** One job that this process owns, from the step to resume at to its end. */
export class JobRun {
  readonly row: JobRow
  readonly lease: Lease
  readonly #deps: RunnerDeps
  readonly #definition: JobDefinition
  readonly #record: JobRecord
  /** Aborted by cancel and deadline; it stops the steps, and not their undo. */
  readonly #stop = new AbortController()
  readonly #input: unknown
  /** Secrets of the steps that an earlier owner finished. */
  readonly #concealed: readonly string[]
  #memory: object
  readonly #undoFailures: UndoFailure[]
  /** Of the changes that it makes: the caller that started it. */
  readonly #source: AuditSource
  readonly #recordedListeners = new Set<(isRecorded: boolean) => void>()

  constructor(deps: RunnerDeps, definition: JobDefinition, row: JobRow, { owner, leasedAt }: Leased) {
    this.row = row
    this.#deps = deps
    this.lease = new Lease(deps, row, leasedAt)
    this.#definition = definition
    this.#record = new JobRecord(deps, row, owner, this.lease.detached)
    this.#input = deps.sealed.openInput(row)
    const { memory, concealed, undoFailures = [] } = deps.sealed.openMemory(row)
    this.#memory = memory
    this.#concealed = concealed
    this.#undoFailures = undoFailures.map(({ step, failure }) => ({ step, failure: reviveFailure(failure) }))
    this.#source = jobSource(row, deps.store)
    onAbort(this.lease.signal, () => this.#stop.abort(this.lease.signal.reason))
    if (row.cancelRequested) this.cancel()
  }

  cancel(): void {
    this.#stop.abort(this.#cancelled())
  }

  /** Returns when the job has its result, or throws Detached. */
  execute(): Promise<void> {
    return withSource(this.#source, () => this.#execute())
  }

  async #execute(): Promise<void> {
    const expire = (): void => this.#stop.abort(this.#late())
    const untilDeadline = this.row.deadline - this.#deps.clock.now()
    // immediately: a step after the deadline must not even start
    if (untilDeadline <= 0) expire()
    const timer = setTimeout(expire, Math.max(untilDeadline, 0))
    try {
      if (this.row.fence > 1) await this.#record.continueLog(this.#concealed)
      if (this.row.state === 'Undoing') await this.#undo(resumeIndex(this.#steps, this.row), this.#storedFailure())
      else await this.#runSteps()
    } catch (error) {
      if (!this.lease.signal.aborted) throw error
      await this.#record.flushLines()
      throw this.lease.signal.reason
    } finally {
      clearTimeout(timer)
      this.#record.close()
      this.#notifyRecorded(false)
    }
  }

  /** Ends a job whose node is lost: nothing of it can be undone from here. */
  endWithoutNode(nodeUuid: string, silentSince: string): Promise<void> {
    return withSource(this.#source, () => this.#endWithoutNode(nodeUuid, silentSince))
  }

  async #endWithoutNode(nodeUuid: string, silentSince: string): Promise<void> {
    await this.#record.continueLog(this.#concealed)
    const { operation, state } = this.row
    const cause = this.#stop.signal.aborted ? this.#cancelled() : this.#late()
    const failure =
      state === 'Undoing'
        ? this.#storedFailure()
        : new ApiError(
            'SYS.1012',
            `${cause.message}; management node ${nodeUuid}, which it needs, has been silent since ${silentSince}. What ${operation} has started there may still run, and what it has created there stays, until that node is back`,
            { cause },
          )
    this.#record.log(`ended by another node than ${nodeUuid}: ${failure.code} ${failure.message}`, 'failure')
    for (const { name, undo } of this.#steps.slice(0, resumeIndex(this.#steps, this.row) + 1).toReversed())
      if (undo) this.#undoFailures.push({ step: name, failure })
    await this.#fail(failure, this.#definition.removeLeftovers ? leftOnItsNode : null)
  }

  /** Runs on the job's own node, after another node ended the job. */
  async removeLeftovers(): Promise<void> {
    const { undoTimeoutMs } = this.#deps.limits
    const signal = AbortSignal.any([this.lease.signal, AbortSignal.timeout(undoTimeoutMs)])
    await this.#record.continueLog(this.#concealed)
    try {
      await this.#attempt(async (context) => this.#definition.removeLeftovers?.(context), signal, 0)
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

  #cancelled(): ApiError {
    return new ApiError('SYS.1017', `${this.row.operation} was cancelled`)
  }

  #late(): ApiError {
    const limit = Math.round((this.row.deadline - this.row.createDate) / 1000)
    return new ApiError(
      'SYS.1001',
      `${this.row.operation} did not end within ${limit} s; repeat it with a longer time limit (X-API-Timeout)`,
    )
  }

  async #runSteps(): Promise<void> {
    const steps = this.#steps
    let position = resumeIndex(steps, this.row)
    try {
      for (; position < steps.length; position++) {
        const step = steps[position] as AnyStep
        this.#stop.signal.throwIfAborted()
        this.#record.log(`step ${step.name}`, 'step')
        const values = await this.#runStep(step, position)
        this.#memory = { ...this.#memory, ...values }
        if (position < steps.length - 1) await this.#completeStep(position + 1)
      }
      await this.#succeed()
    } catch (error) {
      this.lease.signal.throwIfAborted()
      await this.#startUndo(Math.min(position, steps.length - 1), this.#failureOf(error, this.#stop.signal))
    }
  }

  async #runStep(step: AnyStep, position: number): Promise<object | undefined> {
    const { signal } = this.#stop
    const memory = await this.#attempt(async (context) => step.run(context), signal, position)
    signal.throwIfAborted()
    return memory as object | undefined
  }

  /** Work that finds the database unavailable is repeated when it is back, as after a crash: it may happen twice. */
  async #attempt(work: (context: JobContext) => Promise<unknown>, signal: AbortSignal, position: number) {
    for (;;) {
      try {
        return await this.#attemptOnce(work, signal, position)
      } catch (error) {
        const isUnrecorded = error instanceof NotRecordedError
        if (signal.aborted || (!isUnrecorded && (error instanceof ApiError || !isUnavailable(error)))) throw error
        const reason = isUnrecorded ? 'no audit entry could be written' : 'the database was unavailable'
        this.#record.log(`${reason}; this step starts again`)
      }
      await delay(databaseRetryMs, undefined, { signal })
    }
  }

  /** Work that has ended, or did not stop within the grace period, can change nothing any more: the undo has started. */
  async #attemptOnce(work: (context: JobContext) => Promise<unknown>, signal: AbortSignal, position: number) {
    let isOver = false
    const context = this.#context(signal, position, () => isOver)
    try {
      const running = asOwner(this.#ownership(signal), () => work(context))
      return await withGracePeriod(running, signal, this.#deps.limits.stopGraceMs)
    } finally {
      isOver = true
    }
  }

  #ownership(signal: AbortSignal): Ownership {
    return {
      ...this.lease.ownership,
      subjectUuid: this.row.subjectUuid,
      digest: (text) => this.#deps.sealed.digest(this.row.uuid, text),
      onRecorded: (listener) => void this.#recordedListeners.add(listener),
      // an undo has retries of its own
      ...(signal === this.#stop.signal ? { log: (line: string) => this.#record.log(line) } : {}),
    }
  }

  #notifyRecorded(isRecorded: boolean): void {
    for (const listener of this.#recordedListeners) listener(isRecorded)
    this.#recordedListeners.clear()
  }

  async #completeStep(next: number): Promise<void> {
    this.#record.progress = overallProgress(this.#steps, next, 0)
    await this.#record.save({ ...stepPosition(this.#steps, next), ...this.#sealedMemory() })
    this.#notifyRecorded(true)
  }

  async #startUndo(position: number, failure: ApiError): Promise<void> {
    this.#record.log(`failed: ${failure.code} ${failure.message}`, 'failure')
    const first = lastUndoable(this.#steps, position)
    if (first < 0) return this.#fail(failure)
    await this.#record.save({
      ...stepPosition(this.#steps, first),
      ...this.#sealedMemory(),
      state: 'Undoing',
      errorCode: failure.code,
      sealedOutcome: this.#sealedResult({ failure: storeFailure(failure) }),
    })
    this.#notifyRecorded(true)
    await this.#undo(first, failure)
  }

  async #undo(from: number, failure: ApiError): Promise<void> {
    for (let position = from; position >= 0; ) {
      await this.#undoStep(this.#steps[position] as AnyStep, position)
      position = lastUndoable(this.#steps, position - 1)
      if (position < 0) break
      await this.#record.save({ ...stepPosition(this.#steps, position), ...this.#sealedMemory() })
      this.#notifyRecorded(true)
    }
    await this.#fail(failure)
  }

  /** An undo that fails is retried, then logged; it never hides the first error. */
  async #undoStep(step: AnyStep, position: number): Promise<void> {
    const { undoRetryMs } = this.#deps.limits
    this.#record.log(`undo ${step.name}`, 'undo')
    for (const [attempt, pause] of [...undoRetryMs, 0].entries()) {
      const failure = await this.#tryUndo(step, position)
      if (failure === undefined) return
      const isLast = attempt === undoRetryMs.length || step.isUndoRetried?.(failure) === false
      const text = `undo ${step.name} failed: ${failure.code} ${failure.message}`
      this.#record.log(text, isLast ? 'undoFailure' : null)
      if (isLast) return void this.#undoFailures.push({ step: step.name, failure })
      await delay(pause, undefined, { signal: this.lease.signal })
    }
  }

  async #tryUndo(step: AnyStep, position: number): Promise<ApiError | undefined> {
    const { undoTimeoutMs = this.#deps.limits.undoTimeoutMs } = step
    const late = new ApiError('SYS.1001', `the undo of ${step.name} did not end within ${undoTimeoutMs / 1000} s`)
    using deadline = new Deadline(this.lease.signal, undoTimeoutMs, late)
    try {
      await this.#attempt(async (context) => step.undo?.(context), deadline.signal, position)
      return undefined
    } catch (error) {
      this.lease.signal.throwIfAborted()
      return this.#failureOf(error, deadline.signal)
    }
  }

  #context(signal: AbortSignal, position: number, isOver = () => false): JobContext {
    const { accountUuid, userUuid, uuid, subjectUuid } = this.row
    return {
      jobUuid: uuid,
      subjectUuid,
      caller: { accountUuid, userUuid },
      input: this.#input,
      memory: this.#memory,
      signal,
      log: (line) => this.#record.log(line),
      progress: (percent) => {
        if (!isOver()) this.#record.progress = overallProgress(this.#steps, position, percent)
      },
      maskLine: (line) => this.#record.maskLine(line),
      conceal: (secret) => this.#record.conceal(secret),
      write: async (work) => {
        if (isOver()) throw signal.reason ?? new Error('this step has ended')
        return this.#record.write({}, work)
      },
      remember: async (values) => {
        if (isOver()) throw signal.reason ?? new Error('this step has ended')
        this.#memory = { ...this.#memory, ...(values as object) }
        await this.#record.save(this.#sealedMemory())
      },
    }
  }

  async #succeed(): Promise<void> {
    this.#record.progress = 100
    const context = this.#context(this.#stop.signal, 0)
    await this.#record.finish(async (tx) => {
      const answer = await this.#definition.succeeded(context, tx)
      await this.#recordEnd(tx, null)
      return this.#ended('Succeeded', { answer })
    })
    this.#notifyRecorded(true)
  }

  async #fail(first: ApiError, owner: string | null = null): Promise<void> {
    const context = this.#context(this.lease.signal, 0)
    const result: JobFailure = { failure: first, undoFailures: this.#undoFailures }
    const failure = this.#definition.describeFailure?.(context, result) ?? first
    await this.#record.finish(async (tx) => {
      await this.#definition.failed?.(context, tx, result)
      const state = endState(failure)
      if (state === 'Failed') await this.#deps.ownEvents.record(tx, jobFailed(this.row, failure))
      await this.#recordEnd(tx, failure.code)
      return { ...this.#ended(state, { failure: storeFailure(failure) }), owner }
    })
    this.#notifyRecorded(true)
  }

  /** For the audit entry of the end, with everything that the job has changed of its subject. */
  async #recordEnd(tx: Tx, errorCode: ErrorCode | null): Promise<void> {
    const { uuid: jobUuid, subjectUuid, subjectName: name, createDate: startDate } = this.row
    const { changes: held, resourceType } = heldChanges(await this.#deps.store.readHeldChanges(tx, jobUuid))
    const type = resourceType ?? resourceTypeOf(this.#definition.operation) ?? null
    const subject = subjectUuid === null ? null : { uuid: subjectUuid, name, resourceType: type }
    this.#deps.audit.collectEnd(tx, { jobUuid, startDate, subject, held, errorCode })
  }

  #ended(state: JobRow['state'], result: JobResult): Partial<JobRow> {
    return {
      state,
      currentStep: null,
      owner: null,
      endDate: this.#deps.clock.now(),
      auditChanges: null,
      errorCode: 'failure' in result ? result.failure.code : null,
      sealedOutcome: this.#sealedResult(result),
      // only a failed job is repeated; the call may contain secrets
      ...('answer' in result ? { sealedCall: null } : {}),
    }
  }

  #sealedResult(result: JobResult): Buffer {
    return this.#deps.sealed.sealResult(this.row.uuid, result)
  }

  #sealedMemory(): Partial<JobRow> {
    const undoFailures = this.#undoFailures.map(({ step, failure }) => ({ step, failure: storeFailure(failure) }))
    const memory = { memory: this.#memory, concealed: this.#record.concealed, undoFailures }
    return { sealedMemory: this.#deps.sealed.sealMemory(this.row.uuid, memory) }
  }

  #storedFailure(): ApiError {
    const result = this.#deps.sealed.openResult(this.row)
    return result !== undefined && 'failure' in result
      ? reviveFailure(result.failure)
      : new ApiError('SYS.1000', 'the failure of this job was not recorded')
  }

  /** Work that was aborted fails for the reason of its signal, whatever it throws. */
  #failureOf(error: unknown, signal: AbortSignal): ApiError {
    if (signal.aborted && signal.reason instanceof ApiError) return signal.reason
    const mask = (text: string): string => this.#record.mask(text)
    if (error instanceof ApiError) return reviveFailure(storeFailure(error, mask))
    const { uuid: job, operation } = this.row
    this.#deps.log.error({ err: mask(inspect(error)), job, operation }, 'a job step threw')
    return diskFailure(error) ?? new ApiError('SYS.1000', `${operation} failed because of an internal error`)
  }
}
