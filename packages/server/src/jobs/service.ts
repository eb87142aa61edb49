import { isActiveJob, ownsJob, resourceTypeOf } from '@wharf/contract'
import { afterCommit, type Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { tooMany, userLimits } from '@wharf/platform/user-limits.ts'
import type { JobDefinition } from './definition.ts'
import { JobClaimStore, type NodeQueries } from './job-claim-store.ts'
import { JobLogStore } from './job-log-store.ts'
import { type JobResult, storeFailure } from './job-result.ts'
import type { JobRow } from './job-row.ts'
import { storedSource } from './job-source.ts'
import { type JobTimeline, jobTimeline } from './job-timeline.ts'
import { type JobUser, othersJob } from './job-user.ts'
import { type JobLimits, jobLimits } from './limits.ts'
import { type JobRequest, type NewJobRow, newJobRow, summaryOf } from './new-job-row.ts'
import { JobRunner } from './runner.ts'
import type { RunnerDeps } from './runner-deps.ts'
import { noStoredCall, SealedState, type SentCall } from './sealed-state.ts'
import { type ActiveJob, JobStore } from './store.ts'

export type { JobRequest } from './new-job-row.ts'

export interface Submission<Input> {
  request: JobRequest
  /**
   * The record it works on; a second job on it is refused while this one runs. The job keeps the names of its records as
   * they are now.
   */
  subject: { uuid: string; name: string; version?: string | null } | null
  /** The second record of a job with two, such as the version that an upgrade installs. */
  relatedUuid?: string | undefined
  /** The host that it works on, also when that is the subject itself. */
  host: { readonly uuid: string; readonly name: string } | null | undefined
  /** The backup storage that it works on, unless that is the subject itself. */
  storageName?: string | undefined
  input: Input
  /** The call that starts it, so that it can be repeated when the job fails. */
  call?: SentCall
  /** Only this node can run it, because its disk is needed. */
  managementNodeUuid?: string | null | undefined
  /** It continues an accepted call, so it is not refused for the number of jobs. */
  isFollowUp?: boolean
}

interface JobServiceDeps
  extends Pick<RunnerDeps, 'database' | 'audit' | 'events' | 'ownEvents' | 'clock' | 'log' | 'nodeUuid'> {
  nodes: NodeQueries
  sealing: Sealing
  limits?: Partial<JobLimits> | undefined
}

const defaultTimeoutSeconds = 1800
/** How long a call waits for the job of another call to stop and undo its steps. */
const stopSubjectMs = 120_000
const keepFinishedMs = 7 * 86_400_000
/** The call of a failed job may contain secrets. */
const keepCallMs = 86_400_000
/** Finds the end of a job whose notification was lost. */
const waitPollMs = 2000
/** The waiting jobs of a user are counted once for this many of them: an index by user would cost every job more. */
const countEvery = 50

export class JobService {
  readonly runner: JobRunner
  readonly #deps: RunnerDeps
  readonly #waiting = new Map<string, Set<() => void>>()
  /** By user: the jobs enqueued without capacity since the last count. */
  readonly #uncounted = new Map<string, number>()

  constructor({ nodes, sealing, limits, ...deps }: JobServiceDeps) {
    this.#deps = {
      ...deps,
      store: new JobStore(deps.database),
      claims: new JobClaimStore({ database: deps.database, nodes }),
      logs: new JobLogStore(deps.database),
      sealed: new SealedState(sealing),
      limits: { ...jobLimits, ...limits },
    }
    this.runner = new JobRunner(this.#deps)
  }

  async start(afterCrash: boolean): Promise<void> {
    this.#deps.events.subscribe((change) => {
      if (change.resourceType === 'ApiJob' && change.type === 'Finished') this.#wake(change.uuid)
    })
    await this.runner.start(afterCrash)
  }

  /** In the transaction that creates or changes the record: both happen or neither. */
  async enqueue<Input, Memory>(
    tx: Tx,
    definition: JobDefinition<Input, Memory>,
    submission: Submission<Input>,
  ): Promise<{ jobUuid: string }> {
    const { store, sealed, clock, audit, events, limits } = this.#deps
    const { request, subject, host = null, call, managementNodeUuid = null, isFollowUp = false } = submission
    const seconds = request.timeoutSeconds ?? definition.operation.timeoutSeconds ?? defaultTimeoutSeconds
    const runsHere =
      this.runner.hasCapacity && (managementNodeUuid === null || this.runner.owner.startsWith(`${managementNodeUuid}:`))
    // jobs that run immediately are bounded by the capacity of a node
    if (!runsHere && !isFollowUp) await this.#refuseTooMany(tx, request.caller.userUuid)
    const leasedAt = performance.now()
    const uuid = request.uuid ?? newUuid()
    const { name: operation } = definition.operation
    const initial = newJobRow({ ...request, uuid }, operation, clock.now())
    const subjectUuid = subject?.uuid ?? null
    const targetName = submission.storageName ?? (host === null || host.uuid === subject?.uuid ? null : host.name)
    const names = { subjectName: subject?.name ?? null, subjectVersion: subject?.version ?? null, targetName }
    const row = {
      ...initial,
      subjectUuid,
      relatedUuid: submission.relatedUuid ?? null,
      hostUuid: host?.uuid ?? null,
      ...names,
      summary: summaryOf({ operation, ...names }, request.caller.userName),
      managementNodeUuid,
      state: runsHere ? 'Running' : 'Waiting',
      currentStep: definition.steps[0]?.name ?? null,
      sealedInput: sealed.sealInput(uuid, submission.input),
      sealedCall: call === undefined ? null : sealed.sealCall(uuid, call),
      owner: runsHere ? this.runner.owner : null,
      deadline: initial.createDate + seconds * 1000,
      endDate: null,
      auditSource: storedSource(request),
    } satisfies NewJobRow
    if (!(await store.insert(tx, row, limits.leaseMs))) throw await this.#refusal(tx, uuid, subjectUuid)
    const resourceType = resourceTypeOf(definition.operation) ?? null
    audit.collectJob(tx, { jobUuid: uuid, operation, subject: subject && { ...subject, resourceType } })
    await events.record(tx, { type: 'Created', resourceType: 'ApiJob', uuid, isRoutine: true })
    if (runsHere)
      afterCommit(tx, () => this.runner.run({ ...row, leaseUntil: row.createDate + limits.leaseMs }, leasedAt))
    else afterCommit(tx, () => this.runner.expectWaiting())
    return { jobUuid: uuid }
  }

  async #refuseTooMany(tx: Tx, userUuid: string): Promise<void> {
    const limit = userLimits.activeJobs
    const uncounted = this.#uncounted.get(userUuid) ?? countEvery
    if (uncounted < countEvery) return void this.#uncounted.set(userUuid, uncounted + 1)
    if ((await this.#deps.store.countActiveOf(tx, userUuid, limit)) >= limit)
      throw tooMany(
        'SYS.1006',
        `user ${userUuid} has ${limit} unfinished jobs`,
        'wait until some have ended, or cancel them',
      )
    this.#uncounted.set(userUuid, 1)
  }

  async #refusal(tx: Tx, uuid: string, subjectUuid: string | null): Promise<ApiError> {
    const busy = subjectUuid === null ? undefined : await this.#deps.store.findActive(subjectUuid, tx)
    return busy === undefined
      ? new ApiError('JOB.1002', `the job uuid ${uuid} is already in use`)
      : new ApiError(
          'SYS.1005',
          `${busy.operation} is still running on ${subjectUuid}, as job ${busy.uuid}; wait until it has ended, or cancel it`,
        )
  }

  /** Stores a call that failed immediately as a job, for clients that read errors only at jobs. */
  async recordFailure(
    tx: Tx,
    request: JobRequest & { uuid: string },
    operation: string,
    failure: ApiError,
  ): Promise<void> {
    const { store, sealed, clock } = this.#deps
    const row = {
      ...newJobRow(request, operation, clock.now()),
      errorCode: failure.code,
      sealedInput: sealed.sealInput(request.uuid, null),
      sealedOutcome: sealed.sealResult(request.uuid, { failure: storeFailure(failure) }),
    }
    if (!(await store.insert(tx, row, 0))) throw await this.#refusal(tx, request.uuid, null)
    await store.removeRefused(tx, request.caller.userUuid, userLimits.refusedCalls)
  }

  /** Stores a call that succeeded immediately as a job, for clients that read every answer at jobs. */
  async recordSuccess(
    tx: Tx,
    request: JobRequest & { uuid: string },
    operation: string,
    answer: object,
  ): Promise<void> {
    const { store, sealed, clock } = this.#deps
    const row = {
      ...newJobRow(request, operation, clock.now()),
      state: 'Succeeded' as const,
      progress: 100,
      sealedInput: sealed.sealInput(request.uuid, null),
      sealedOutcome: sealed.sealResult(request.uuid, { answer }),
    }
    if (!(await store.insert(tx, row, 0))) throw await this.#refusal(tx, request.uuid, null)
  }

  /**
   * Replaces an answer that contains a secret by one without it; true only for the first reader, and only when
   * `isAllowed` returns true in the same transaction.
   */
  async takeSecret(
    { uuid, summary, sealedOutcome }: JobRow,
    answer: object,
    isAllowed: (tx: Tx) => Promise<boolean>,
  ): Promise<boolean> {
    const { database, store, sealed, audit } = this.#deps
    const without = sealed.sealResult(uuid, { answer })
    return database.transaction(async (tx) => {
      if (!((await isAllowed(tx)) && (await store.replaceResult(tx, { uuid, sealedOutcome }, without)))) return false
      audit.collect(tx, {
        resourceType: 'ApiJob',
        uuid,
        before: { uuid, summary, sealedOutcome },
        after: { uuid, summary, sealedOutcome: without },
      })
      return true
    })
  }

  async get(uuid: string, from?: Tx): Promise<JobRow> {
    const row = await this.#deps.store.find(uuid, from)
    if (row === undefined) throw notFound('job', uuid)
    return row
  }

  result(row: JobRow): JobResult | undefined {
    return isActiveJob(row.state) ? undefined : this.#deps.sealed.openResult(row)
  }

  token(uuid: string): string {
    return this.#deps.sealed.token(uuid)
  }

  /** The row once the job has ended, or the current row at the timeout or when the signal is aborted. */
  async wait(uuid: string, timeoutMs: number, signal?: AbortSignal): Promise<JobRow> {
    // not by the time of day, which may be changed meanwhile
    const until = performance.now() + timeoutMs
    let isAwake = false
    let resume = (): void => {}
    const wake = (): void => {
      isAwake = true
      resume()
    }
    const stopListening = this.#onFinish(uuid, wake)
    using _listening = onAbort(signal, wake)
    try {
      for (;;) {
        // before the query, so that an end during the query is noticed
        isAwake = false
        const row = await this.get(uuid)
        const left = until - performance.now()
        if (!isActiveJob(row.state) || left <= 0 || signal?.aborted) return row
        if (isAwake) continue
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(left, waitPollMs))
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    } finally {
      stopListening()
    }
  }

  #onFinish(uuid: string, wake: () => void): () => void {
    const waiters = this.#waiting.get(uuid) ?? new Set()
    this.#waiting.set(uuid, waiters)
    waiters.add(wake)
    return () => {
      waiters.delete(wake)
      if (waiters.size === 0) this.#waiting.delete(uuid)
    }
  }

  #wake(uuid: string): void {
    for (const wake of [...(this.#waiting.get(uuid) ?? [])]) wake()
  }

  /** Requests the cancellation; the owner, on whichever node, stops the step and undoes. */
  async cancel(tx: Tx, caller: JobUser, uuid: string): Promise<void> {
    const { store, events } = this.#deps
    const row = await store.find(uuid, tx)
    if (row === undefined) throw notFound('job', uuid)
    if (!ownsJob(caller, row))
      throw new ApiError(
        'ID.1002',
        'only an admin may cancel the job of another user; ask an admin, or wait until it has ended',
      )
    if (!(await store.requestCancel(tx, uuid))) {
      const state = (await store.find(uuid, tx))?.state
      throw new ApiError('JOB.1001', `job ${uuid} is ${state}; only a waiting or running job can be cancelled`)
    }
    await events.record(tx, { type: 'CancelRequested', resourceType: 'ApiJob', uuid, ...cancellation(row) })
  }

  /** The call of a job that failed or was cancelled, for its user or an admin to repeat. */
  async callToRetry(caller: JobUser, uuid: string): Promise<{ row: JobRow; call: SentCall }> {
    const row = await this.get(uuid)
    if (!ownsJob(caller, row))
      throw new ApiError(
        'ID.1002',
        'only an admin may retry the job of another user; ask an admin, or start the operation yourself',
      )
    if (row.state !== 'Failed' && row.state !== 'Cancelled')
      throw new ApiError('SYS.1005', `job ${uuid} is ${row.state}; only a failed or cancelled job can be retried`)
    const call = this.#deps.sealed.openCall(row)
    if (call === undefined) throw noStoredCall(row)
    return { row, call }
  }

  /** In the transaction that repeats the call: of concurrent retries one finds it. */
  async takeCall(tx: Tx, row: JobRow): Promise<void> {
    if (!(await this.#deps.store.takeCall(tx, row.uuid))) throw noStoredCall(row)
    // the job that repeats it has an entry
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'ApiJob', uuid: row.uuid, isRoutine: true })
  }

  /** A record that is deleted must not have an active job. */
  async refuseBusy(tx: Tx, subjectUuid: string): Promise<void> {
    const busy = await this.#deps.store.findActive(subjectUuid, tx)
    if (busy)
      throw new ApiError(
        'SYS.1004',
        `${busy.operation} is still running on ${subjectUuid}, as job ${busy.uuid}; wait until it has ended, or cancel it`,
      )
  }

  /** Every job that has not ended, with its subject. */
  readonly listActive = (from?: Tx) => this.#deps.store.listActive(from)

  /** The job that works on this record, if there is one. */
  findActive(subjectUuid: string, from?: Tx): Promise<ActiveJob | undefined> {
    return this.#deps.store.findActive(subjectUuid, from)
  }

  /** Cancels the job of a record, with the rights that `cancel` needs, and returns when it has been undone. */
  async cancelSubject(
    { caller, authorise }: { caller: JobUser; authorise(tx: Tx): Promise<void> },
    subjectUuid: string,
  ): Promise<void> {
    const { database, store, events } = this.#deps
    const busy = await database.transaction(async (tx) => {
      await authorise(tx)
      const job = await store.findActive(subjectUuid, tx)
      // a job that is being undone needs no cancellation
      if (job && job.state !== 'Undoing' && !ownsJob(caller, job)) throw othersJob(job, subjectUuid)
      if (job && (await store.requestCancel(tx, job.uuid)))
        await events.record(tx, {
          type: 'CancelRequested',
          resourceType: 'ApiJob',
          uuid: job.uuid,
          ...cancellation(job),
        })
      return job
    })
    if (busy) await this.wait(busy.uuid, stopSubjectMs)
  }

  readLog(uuid: string, after: number, limit: number) {
    return this.#deps.logs.list(uuid, after, limit)
  }

  lastLogLine(uuid: string): Promise<number> {
    return this.#deps.logs.lastSequence(uuid)
  }

  /** The steps of a job, and the lines of its log with the failure. */
  async steps(row: JobRow): Promise<JobTimeline> {
    return jobTimeline(row, this.runner.stepNames(row.operation), await this.#deps.logs.listKinds(row.uuid))
  }

  countActive() {
    return this.#deps.store.countActive()
  }

  async #removeFinished(tx: Tx, date: number, limit: number): Promise<number> {
    const { jobs, rows } = await this.#deps.store.removeFinishedBefore(tx, date, limit)
    this.#deps.audit.collectRemoval(tx, 'ApiJob', jobs)
    return rows
  }

  async removeOld(): Promise<void> {
    const { database, store, clock } = this.#deps
    const now = clock.now()
    await deleteInBatches(database, (tx, limit) => this.#removeFinished(tx, now - keepFinishedMs, limit))
    await deleteInBatches(database, (tx, limit) => store.removeCallsBefore(tx, now - keepCallMs, limit))
  }
}

const cancellation = ({ summary }: Pick<JobRow, 'summary'>) => ({
  before: { summary, cancelRequested: 0 },
  after: { summary, cancelRequested: 1 },
})
