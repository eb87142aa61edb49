import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { isUnavailable } from '@wharf/database/failures.ts'
import { Deadline, onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { diskFailure } from '@wharf/platform/disk-failure.ts'
import { overall, standing, standingAt, undoable } from './course.ts'
import type { JobContext, JobDefinition, Step } from './definition.ts'
import { withGrace } from './grace.ts'
import { Hold } from './hold.ts'
import type { JobRow } from './job-row.ts'
import { type Outcome, reviveFailure, storeFailure } from './outcome.ts'
import { asOwner, type Ownership } from './ownership.ts'
import type { RunParts } from './parts.ts'
import { databaseRetryMs, JobRecord } from './record.ts'
import { leftOnItsNode } from './store.ts'

type AnyStep = Step<unknown, unknown>

export interface Holding {
  readonly owner: string
  /** By `performance.now()`, before the database was asked for the lease. */
  readonly leasedAt: number
}

/** One job in the hands of this process, from where it stood to its end. */
export class JobRun {
  readonly row: JobRow
  readonly hold: Hold
  readonly #parts: RunParts
  readonly #definition: JobDefinition
  readonly #record: JobRecord
  /** Cancel and deadline stop the way forward; the way back has a signal of its own. */
  readonly #stop = new AbortController()
  readonly #input: unknown
  /** By the steps that an earlier owner finished. */
  readonly #concealed: readonly string[]
  #memory: object
  readonly #recordedListeners = new Set<(isRecorded: boolean) => void>()

  constructor(parts: RunParts, definition: JobDefinition, row: JobRow, { owner, leasedAt }: Holding) {
    this.row = row
    this.#parts = parts
    this.hold = new Hold(parts, row, leasedAt)
    this.#definition = definition
    this.#record = new JobRecord(parts, row, owner, this.hold.detached)
    this.#input = parts.seals.openInput(row)
    const { memory, concealed } = parts.seals.openMemory(row)
    this.#memory = memory
    this.#concealed = concealed
    onAbort(this.hold.signal, () => this.#stop.abort(this.hold.signal.reason))
    if (row.cancelRequested) this.cancel()
  }

  cancel(): void {
    this.#stop.abort(this.#cancelled())
  }

  /** Ends when the job has its outcome, or throws Detached. */
  async execute(): Promise<void> {
    const expire = (): void => this.#stop.abort(this.#late())
    const untilDeadline = this.row.deadline - this.#parts.clock.now()
    // at once: a step whose time is over must not even begin
    if (untilDeadline <= 0) expire()
    const timer = setTimeout(expire, Math.max(untilDeadline, 0))
    try {
      if (this.row.fence > 1) await this.#record.continueLog(this.#concealed)
      if (this.row.state === 'Undoing') await this.#goBack(standing(this.#steps, this.row), this.#storedFailure())
      else await this.#goForward()
    } catch (error) {
      if (!this.hold.signal.aborted) throw error
      await this.#record.leaveLines()
      throw this.hold.signal.reason
    } finally {
      clearTimeout(timer)
      this.#record.close()
      this.#notifyRecorded(false)
    }
  }

  /** Its node is away and it is to end: from here nothing of it can be undone. */
  async endWithoutItsNode(nodeUuid: string, silentSince: string): Promise<void> {
    await this.#record.continueLog(this.#concealed)
    const { operation, state } = this.row
    const cause = this.#stop.signal.aborted ? this.#cancelled() : this.#late()
    const failure =
      state === 'Undoing'
        ? this.#storedFailure()
        : new ApiError(
            'SYS.1012',
            `${cause.message}; management node ${nodeUuid}, which it needs, has been silent since ${silentSince}. What ${operation} has begun there may still run, and what it has made there is left, until that node is back`,
            { cause },
          )
    this.#record.tell(`ended by another node than ${nodeUuid}: ${failure.code} ${failure.message}`)
    await this.#fail(failure, this.#definition.leftBehind ? leftOnItsNode : null)
  }

  /** On its node, which was away when others ended it. */
  async tidyUp(): Promise<void> {
    const { undoTimeoutMs } = this.#parts.limits
    const signal = AbortSignal.any([this.hold.signal, AbortSignal.timeout(undoTimeoutMs)])
    await this.#record.continueLog(this.#concealed)
    try {
      await this.#attempt(async (context) => this.#definition.leftBehind?.(context), signal, 0)
      this.#record.tell('its node is back and has removed what this job had left there')
    } catch (error) {
      this.hold.signal.throwIfAborted()
      this.#record.tell(`its node is back; what this job had left there stays: ${this.#record.mask(String(error))}`)
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
    return new ApiError('SYS.1001', `${this.row.operation} did not end within ${limit} s`)
  }

  async #goForward(): Promise<void> {
    const steps = this.#steps
    let position = standing(steps, this.row)
    try {
      for (; position < steps.length; position++) {
        const step = steps[position] as AnyStep
        this.#stop.signal.throwIfAborted()
        this.#record.tell(`step ${step.name}`)
        this.#memory = { ...this.#memory, ...(await this.#runStep(step, position)) }
        if (position < steps.length - 1) await this.#completeStep(position + 1)
      }
      await this.#succeed()
    } catch (error) {
      this.hold.signal.throwIfAborted()
      await this.#turnBack(Math.min(position, steps.length - 1), this.#failureOf(error, this.#stop.signal))
    }
  }

  async #runStep(step: AnyStep, position: number): Promise<object | undefined> {
    const { signal } = this.#stop
    const memory = await this.#attempt(async (context) => step.run(context), signal, position)
    signal.throwIfAborted()
    return memory as object | undefined
  }

  /** What finds the database away begins again when it is back, as after a crash: it may happen twice. */
  async #attempt(work: (context: JobContext) => Promise<unknown>, signal: AbortSignal, position: number) {
    for (;;) {
      try {
        return await this.#attemptOnce(work, signal, position)
      } catch (error) {
        if (signal.aborted || error instanceof ApiError || !isUnavailable(error)) throw error
        this.#record.tell('the database was away; this step begins again')
      }
      await delay(databaseRetryMs, undefined, { signal })
    }
  }

  /** Once it is over, or given up because it did not stop in time, it changes nothing any more: the undo has begun. */
  async #attemptOnce(work: (context: JobContext) => Promise<unknown>, signal: AbortSignal, position: number) {
    let isOver = false
    const context = this.#context(signal, position, () => isOver)
    try {
      const running = asOwner(this.#ownership(signal), () => work(context))
      return await withGrace(running, signal, this.#parts.limits.stopGraceMs)
    } finally {
      isOver = true
    }
  }

  #ownership(signal: AbortSignal): Ownership {
    return {
      ...this.hold.ownership,
      subjectUuid: this.row.subjectUuid,
      digest: (text) => this.#parts.seals.digest(this.row.uuid, text),
      onRecorded: (listener) => void this.#recordedListeners.add(listener),
      // an undo has retries of its own
      ...(signal === this.#stop.signal ? { log: (line: string) => this.#record.tell(line) } : {}),
    }
  }

  #notifyRecorded(isRecorded: boolean): void {
    for (const listener of this.#recordedListeners) listener(isRecorded)
    this.#recordedListeners.clear()
  }

  async #completeStep(next: number): Promise<void> {
    this.#record.progress = overall(this.#steps, next, 0)
    await this.#record.save({ ...standingAt(this.#steps, next), ...this.#sealedMemory() })
    this.#notifyRecorded(true)
  }

  async #turnBack(position: number, failure: ApiError): Promise<void> {
    this.#record.tell(`failed: ${failure.code} ${failure.message}`)
    const outcome = { failure: storeFailure(failure) }
    const first = undoable(this.#steps, position)
    if (first < 0) return this.#fail(failure)
    await this.#record.save({
      ...standingAt(this.#steps, first),
      ...this.#sealedMemory(),
      state: 'Undoing',
      errorCode: failure.code,
      sealedOutcome: this.#parts.seals.sealOutcome(this.row.uuid, outcome),
    })
    this.#notifyRecorded(true)
    await this.#goBack(first, failure)
  }

  async #goBack(from: number, failure: ApiError): Promise<void> {
    for (let position = from; position >= 0; ) {
      await this.#undoStep(this.#steps[position] as AnyStep, position)
      position = undoable(this.#steps, position - 1)
      if (position >= 0) await this.#record.save(standingAt(this.#steps, position))
    }
    await this.#fail(failure)
  }

  /** An undo that fails is tried again, then told in the log; it never hides the first error. */
  async #undoStep(step: AnyStep, position: number): Promise<void> {
    const { undoRetryMs } = this.#parts.limits
    this.#record.tell(`undo ${step.name}`)
    for (const [attempt, pause] of [...undoRetryMs, 0].entries()) {
      const failure = await this.#tryUndo(step, position)
      if (failure === undefined) return
      this.#record.tell(`undo ${step.name} failed: ${failure.code} ${failure.message}`)
      if (attempt < undoRetryMs.length) await delay(pause, undefined, { signal: this.hold.signal })
    }
  }

  async #tryUndo(step: AnyStep, position: number): Promise<ApiError | undefined> {
    const { undoTimeoutMs } = this.#parts.limits
    const late = new ApiError('SYS.1001', `the undo of ${step.name} did not end within ${undoTimeoutMs / 1000} s`)
    using deadline = new Deadline(this.hold.signal, undoTimeoutMs, late)
    try {
      await this.#attempt(async (context) => step.undo?.(context), deadline.signal, position)
      return undefined
    } catch (error) {
      this.hold.signal.throwIfAborted()
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
      log: (line) => this.#record.tell(line),
      progress: (percent) => {
        if (!isOver()) this.#record.progress = overall(this.#steps, position, percent)
      },
      maskLine: (line) => this.#record.maskLine(line),
      conceal: (secret) => this.#record.conceal(secret),
      write: async (work) => {
        if (isOver()) throw signal.reason ?? new Error('this step has ended')
        return this.#record.write({}, work)
      },
    }
  }

  async #succeed(): Promise<void> {
    this.#record.progress = 100
    const context = this.#context(this.#stop.signal, 0)
    await this.#record.finish(async (tx) =>
      this.#ended('Succeeded', { answer: await this.#definition.succeeded(context, tx) }),
    )
    this.#notifyRecorded(true)
  }

  async #fail(failure: ApiError, owner: string | null = null): Promise<void> {
    const context = this.#context(this.hold.signal, 0)
    await this.#record.finish(async (tx) => {
      await this.#definition.failed?.(context, tx)
      return { ...this.#ended(endState(failure), { failure: storeFailure(failure) }), owner }
    })
    this.#notifyRecorded(true)
  }

  #ended(state: JobRow['state'], outcome: Outcome): Partial<JobRow> {
    return {
      state,
      currentStep: null,
      owner: null,
      errorCode: 'failure' in outcome ? outcome.failure.code : null,
      sealedOutcome: this.#parts.seals.sealOutcome(this.row.uuid, outcome),
    }
  }

  #sealedMemory(): Partial<JobRow> {
    const known = { memory: this.#memory, concealed: this.#record.concealed }
    return { sealedMemory: this.#parts.seals.sealMemory(this.row.uuid, known) }
  }

  #storedFailure(): ApiError {
    const outcome = this.#parts.seals.openOutcome(this.row)
    return outcome !== undefined && 'failure' in outcome
      ? reviveFailure(outcome.failure)
      : new ApiError('SYS.1000', 'the failure of this job was not recorded')
  }

  /** Whoever was told to stop fails for the reason it was told, whatever it throws. */
  #failureOf(error: unknown, signal: AbortSignal): ApiError {
    if (signal.aborted && signal.reason instanceof ApiError) return signal.reason
    const mask = (text: string): string => this.#record.mask(text)
    if (error instanceof ApiError) return reviveFailure(storeFailure(error, mask))
    const { uuid: job, operation } = this.row
    this.#parts.log.error({ err: mask(inspect(error)), job, operation }, 'a job step threw')
    return diskFailure(error) ?? new ApiError('SYS.1000', `${operation} failed because of an internal error`)
  }
}

const endState = (failure: ApiError): JobRow['state'] => (failure.code === 'SYS.1017' ? 'Cancelled' : 'Failed')
