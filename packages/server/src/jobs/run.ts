import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from '../database/database.ts'
import { isConnectionFailure } from '../database/failures.ts'
import type { Events } from '../events/events.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { JobContext, JobDefinition, Step } from './definition.ts'
import { LogBuffer } from './log-buffer.ts'
import { type Outcome, reviveFailure, storeFailure } from './outcome.ts'
import type { JobSeals } from './seals.ts'
import type { JobRow, JobStore } from './store.ts'

export interface RunParts {
  readonly database: Database
  readonly store: JobStore
  readonly events: Events
  readonly seals: JobSeals
  readonly clock: Clock
  readonly log: Log
}

/** Why a run ended without an outcome: the job goes on elsewhere. */
export class Detached extends Error {}

/** A step that was told to stop gets this long before the undo begins without it. */
const stopGraceMs = 30_000
const flushMs = 250
const databaseRetryMs = 500
const undoTimeoutMs = 300_000
const undoRetryMs = [200, 1000, 5000]

/** One job in the hands of this process, from where it stood to its end. */
export class JobRun {
  readonly row: JobRow
  readonly #parts: RunParts
  readonly #definition: JobDefinition
  readonly #held: { uuid: string; owner: string; fence: number }
  /** Cancel and deadline stop the way forward; the way back has a signal of its own. */
  readonly #stop = new AbortController()
  readonly #detach = new AbortController()
  readonly #input: unknown
  #memory: object
  #lines = new LogBuffer(0)
  #progress: number
  #flushTimer: NodeJS.Timeout | undefined

  constructor(parts: RunParts, definition: JobDefinition, row: JobRow, owner: string) {
    this.row = row
    this.#parts = parts
    this.#definition = definition
    this.#held = { uuid: row.uuid, owner, fence: row.fence }
    this.#input = parts.seals.openInput(row)
    this.#memory = parts.seals.openMemory(row)
    this.#progress = row.progress
    if (row.cancelRequested) this.cancel()
  }

  cancel(): void {
    this.#stop.abort(new ApiError('SYS.1017', `${this.row.operation} was cancelled`))
  }

  /** This process gives the job up; whoever owns it next goes on at the same step. */
  detach(reason: string): void {
    const gone = new Detached(reason)
    this.#detach.abort(gone)
    this.#stop.abort(gone)
  }

  /** Ends when the job has its outcome, or throws Detached. */
  async execute(): Promise<void> {
    const untilDeadline = this.row.deadline - this.#parts.clock.now()
    const limit = Math.round((this.row.deadline - this.row.createDate) / 1000)
    const timer = setTimeout(
      () => this.#stop.abort(new ApiError('SYS.1001', `${this.row.operation} did not end within ${limit} s`)),
      Math.max(untilDeadline, 0),
    )
    try {
      if (this.row.fence > 1) this.#lines = new LogBuffer(await this.#parts.store.lastLogSequence(this.row.uuid))
      if (this.row.state === 'Undoing') await this.#goBack(this.row.position, this.#storedFailure())
      else await this.#goForward()
    } finally {
      clearTimeout(timer)
      clearTimeout(this.#flushTimer)
    }
  }

  async #goForward(): Promise<void> {
    const { steps } = this.#definition
    let position = this.row.position
    try {
      for (; position < steps.length; position++) {
        const step = steps[position] as Step<unknown, unknown>
        this.#stop.signal.throwIfAborted()
        this.#lines.add(this.#parts.clock.now(), `step ${step.name}`)
        this.#memory = { ...this.#memory, ...(await this.#runStep(step, position)) }
        if (position < steps.length - 1) await this.#completeStep(position + 1)
      }
      await this.#finish('Succeeded', { answer: await this.#definition.answer(this.#context(this.#stop.signal, 0)) })
    } catch (error) {
      if (this.#detach.signal.aborted) throw this.#detach.signal.reason
      if (error instanceof Detached) throw error
      await this.#turnBack(Math.min(position, steps.length - 1), this.#failureOf(error))
    }
  }

  async #runStep(step: Step<unknown, unknown>, position: number): Promise<object | undefined> {
    const { signal } = this.#stop
    const running = step.run(this.#context(signal, position))
    // a step obeys the signal; one that does not must not hold the job for ever
    const overdue = new Promise<never>((_, reject) => {
      const later = (): void => void setTimeout(() => reject(signal.reason), stopGraceMs).unref()
      if (signal.aborted) later()
      else signal.addEventListener('abort', later, { once: true })
    })
    const memory = await Promise.race([running, overdue])
    signal.throwIfAborted()
    return memory as object | undefined
  }

  #completeStep(next: number): Promise<void> {
    this.#progress = this.#overall(next, 0)
    return this.#save({
      position: next,
      currentStep: this.#definition.steps[next]?.name ?? null,
      sealedMemory: this.#parts.seals.sealMemory(this.row.uuid, this.#memory),
    })
  }

  async #turnBack(position: number, failure: ApiError): Promise<void> {
    this.#lines.add(this.#parts.clock.now(), `failed: ${failure.code} ${failure.message}`)
    const outcome = { failure: storeFailure(failure) }
    if (this.#definition.steps.slice(0, position + 1).every((step) => step.undo === undefined))
      return this.#finish(endState(failure), outcome)
    await this.#save({
      state: 'Undoing',
      position,
      errorCode: failure.code,
      sealedOutcome: this.#parts.seals.sealOutcome(this.row.uuid, outcome),
    })
    await this.#goBack(position, failure)
  }

  async #goBack(from: number, failure: ApiError): Promise<void> {
    for (let position = from; position >= 0; position--) {
      const step = this.#definition.steps[position]
      if (step?.undo === undefined) continue
      await this.#undoStep(step, position)
      if (position > 0) await this.#save({ position: position - 1, currentStep: step.name })
    }
    await this.#finish(endState(failure), { failure: storeFailure(failure) })
  }

  /** An undo that fails is tried again, then told in the log; it never hides the first error. */
  async #undoStep(step: Step<unknown, unknown>, position: number): Promise<void> {
    this.#lines.add(this.#parts.clock.now(), `undo ${step.name}`)
    for (const [attempt, pause] of [...undoRetryMs, 0].entries()) {
      const signal = AbortSignal.any([this.#detach.signal, AbortSignal.timeout(undoTimeoutMs)])
      try {
        await step.undo?.(this.#context(signal, position))
        return
      } catch (error) {
        this.#detach.signal.throwIfAborted()
        const reason = this.#failureOf(error)
        this.#lines.add(this.#parts.clock.now(), `undo ${step.name} failed: ${reason.code} ${reason.message}`)
        if (attempt < undoRetryMs.length) await delay(pause, undefined, { signal: this.#detach.signal })
      }
    }
  }

  #context(signal: AbortSignal, position: number): JobContext {
    const { accountUuid, userUuid, uuid, subjectUuid } = this.row
    return {
      jobUuid: uuid,
      subjectUuid,
      caller: { accountUuid, userUuid },
      input: this.#input,
      memory: this.#memory,
      signal,
      log: (line) => {
        this.#lines.add(this.#parts.clock.now(), line)
        this.#flushSoon()
      },
      progress: (percent) => {
        this.#progress = this.#overall(position, percent)
        this.#flushSoon()
      },
      conceal: (secret) => this.#lines.conceal(secret),
      write: (work) => this.#write({}, work),
    }
  }

  #overall(position: number, percent: number): number {
    const weights = this.#definition.steps.map((step) => step.weight)
    const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0)
    const done =
      sum(weights.slice(0, position)) + ((weights[position] ?? 0) * Math.min(Math.max(percent, 0), 100)) / 100
    return Math.floor((100 * done) / sum(weights))
  }

  async #finish(state: JobRow['state'], outcome: Outcome): Promise<void> {
    clearTimeout(this.#flushTimer)
    if (state === 'Succeeded') this.#progress = 100
    await this.#save(
      {
        state,
        currentStep: null,
        owner: null,
        errorCode: 'failure' in outcome ? outcome.failure.code : null,
        sealedOutcome: this.#parts.seals.sealOutcome(this.row.uuid, outcome),
      },
      'Finished',
    )
  }

  #save(change: Partial<JobRow>, eventType = 'Updated'): Promise<void> {
    return this.#write(change, (tx) =>
      this.#parts.events.record(tx, { type: eventType, resourceType: 'ApiJob', uuid: this.row.uuid }),
    )
  }

  /** Every write of a job: fenced, with the log lines so far, and patient while the database is away. */
  async #write<T>(change: Partial<JobRow>, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { database, store, clock } = this.#parts
    for (;;) {
      this.#detach.signal.throwIfAborted()
      const lines = this.#lines.take()
      try {
        return await database.transaction(async (tx) => {
          const update = { ...change, progress: this.#progress, lastOpDate: clock.now() }
          if (!(await store.updateOwned(tx, this.#held, update))) throw new Detached('another process owns the job')
          await store.appendLog(
            tx,
            lines.map((line) => ({ jobUuid: this.row.uuid, ...line })),
          )
          return work(tx)
        })
      } catch (error) {
        this.#lines.restore(lines)
        if (!isConnectionFailure(error)) throw error
        await delay(databaseRetryMs, undefined, { signal: this.#detach.signal })
      }
    }
  }

  #flushSoon(): void {
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined
      this.#save({}).catch(() => {}) // the lines are still here; the next write takes them along
    }, flushMs)
  }

  #storedFailure(): ApiError {
    const outcome = this.#parts.seals.openOutcome(this.row)
    return outcome !== undefined && 'failure' in outcome
      ? reviveFailure(outcome.failure)
      : new ApiError('SYS.1000', 'the failure of this job was not recorded')
  }

  #failureOf(error: unknown): ApiError {
    if (this.#stop.signal.aborted && this.#stop.signal.reason instanceof ApiError) return this.#stop.signal.reason
    if (error instanceof ApiError) return error
    this.#parts.log.error({ err: error, job: this.row.uuid, operation: this.row.operation }, 'a job step threw')
    return new ApiError('SYS.1000', `${this.row.operation} failed because of a fault in Wharf`, { cause: error })
  }
}

const endState = (failure: ApiError): JobRow['state'] => (failure.code === 'SYS.1017' ? 'Cancelled' : 'Failed')
