import { afterCommit, type Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { tooMany, userLimits } from '@wharf/platform/user-limits.ts'
import type { JobDefinition } from './definition.ts'
import { isActive, type JobRow } from './job-row.ts'
import { type JobLimits, jobLimits } from './limits.ts'
import { type Outcome, storeFailure } from './outcome.ts'
import type { RunParts } from './parts.ts'
import { JobRunner } from './runner.ts'
import { JobSeals } from './seals.ts'
import { type ActiveJob, JobStore, type NodeQueries } from './store.ts'

export interface JobRequest {
  caller: { accountUuid: string; userUuid: string }
  /** What the caller may choose: X-Job-UUID and X-API-Timeout. */
  uuid?: string | undefined
  timeoutSeconds?: number | undefined
}

export interface Submission<Input> {
  request: JobRequest
  /** The record it works on; a second job on it is refused while this one runs. */
  subjectUuid: string | null
  input: Input
  /** Only this node can run it, because its disk is needed. */
  managementNodeUuid?: string | null | undefined
  /** It is part of what was accepted before, so it is not refused for the number of jobs. */
  isFollowUp?: boolean
}

interface More {
  nodes: NodeQueries
  sealing: Sealing
  limits?: Partial<JobLimits> | undefined
}

type NewRow = Omit<JobRow, 'leaseUntil'>

/** A job that has not done anything yet, and never will unless more is said of it. */
const freshRow = ({ uuid, caller }: JobRequest & { uuid: string }, operation: string, now: number) => ({
  uuid,
  operation,
  subjectUuid: null,
  accountUuid: caller.accountUuid,
  userUuid: caller.userUuid,
  managementNodeUuid: null,
  state: 'Failed' as const,
  progress: 0,
  position: 0,
  currentStep: null,
  errorCode: null,
  sealedMemory: null,
  sealedOutcome: null,
  owner: null,
  fence: 1,
  deadline: now,
  cancelRequested: 0,
  createDate: now,
  lastOpDate: now,
})

const defaultTimeoutSeconds = 1800
/** How long one call waits for another's job to undo what it did. */
const stopSubjectMs = 120_000
const keepFinishedMs = 7 * 86_400_000
/** A finish that is not heard of, because a notification was lost, is found by looking. */
const waitLookMs = 2000
/** Jobs of a user that wait are counted once for so many of them: an index by user would cost every job more. */
const countEvery = 50

interface Canceller {
  readonly userUuid: string
  readonly role: string
}

const mayCancel = ({ userUuid, role }: Canceller, job: Pick<JobRow, 'userUuid'>): boolean =>
  role === 'admin' || job.userUuid === userUuid

const othersJob = ({ operation, uuid, userUuid }: ActiveJob, subjectUuid: string): ApiError =>
  new ApiError(
    'ID.1002',
    `${operation} is still running on ${subjectUuid}, as job ${uuid} of user ${userUuid}; only an admin may cancel the job of another user: wait until it has ended, or ask an admin`,
  )

export class JobService {
  readonly runner: JobRunner
  readonly #parts: RunParts
  readonly #waiting = new Map<string, Set<() => void>>()
  /** By user: the jobs that had to wait since theirs were counted. */
  readonly #uncounted = new Map<string, number>()

  constructor(parts: Omit<RunParts, 'store' | 'seals' | 'limits'> & More, nodeUuid: string) {
    this.#parts = {
      ...parts,
      store: new JobStore(parts.database, parts.nodes),
      seals: new JobSeals(parts.sealing),
      limits: { ...jobLimits, ...parts.limits },
    }
    this.runner = new JobRunner(this.#parts, nodeUuid)
  }

  async start(afterCrash: boolean): Promise<void> {
    this.#parts.events.subscribe((change) => {
      if (change.resourceType === 'ApiJob' && change.type === 'Finished') this.#wake(change.uuid)
    })
    await this.runner.start(afterCrash)
  }

  /** In the transaction that makes or claims the record: the job exists exactly when the record says so. */
  async enqueue<Input, Memory>(
    tx: Tx,
    definition: JobDefinition<Input, Memory>,
    submission: Submission<Input>,
  ): Promise<{ jobUuid: string }> {
    const { store, seals, clock, events, limits } = this.#parts
    const { request, subjectUuid, managementNodeUuid = null, isFollowUp = false } = submission
    const seconds = request.timeoutSeconds ?? definition.operation.timeoutSeconds ?? defaultTimeoutSeconds
    const here =
      this.runner.hasRoom && (managementNodeUuid === null || this.runner.owner.startsWith(`${managementNodeUuid}:`))
    // what runs at once is bounded by what a node can run
    if (!here && !isFollowUp) await this.#refuseTooMany(tx, request.caller.userUuid)
    const leasedAt = performance.now()
    const uuid = request.uuid ?? newUuid()
    const fresh = freshRow({ ...request, uuid }, definition.operation.name, clock.now())
    const row = {
      ...fresh,
      subjectUuid,
      managementNodeUuid,
      state: here ? 'Running' : 'Waiting',
      currentStep: definition.steps[0]?.name ?? null,
      sealedInput: seals.sealInput(uuid, submission.input),
      owner: here ? this.runner.owner : null,
      deadline: fresh.createDate + seconds * 1000,
    } satisfies NewRow
    if (!(await store.insert(tx, row, limits.leaseMs))) throw await this.#refusal(tx, uuid, subjectUuid)
    await events.record(tx, { type: 'Created', resourceType: 'ApiJob', uuid })
    if (here) afterCommit(tx, () => this.runner.run({ ...row, leaseUntil: row.createDate + limits.leaseMs }, leasedAt))
    else afterCommit(tx, () => this.runner.expectWaiting())
    return { jobUuid: uuid }
  }

  async #refuseTooMany(tx: Tx, userUuid: string): Promise<void> {
    const limit = userLimits.activeJobs
    const uncounted = this.#uncounted.get(userUuid) ?? countEvery
    if (uncounted < countEvery) return void this.#uncounted.set(userUuid, uncounted + 1)
    if ((await this.#parts.store.countActiveOf(tx, userUuid, limit)) >= limit)
      throw tooMany(
        'SYS.1006',
        `user ${userUuid} has ${limit} unfinished jobs`,
        'wait until some have ended, or cancel them',
      )
    this.#uncounted.set(userUuid, 1)
  }

  async #refusal(tx: Tx, uuid: string, subjectUuid: string | null): Promise<ApiError> {
    const busy = subjectUuid === null ? undefined : await this.#parts.store.findActiveBySubject(subjectUuid, tx)
    return busy === undefined
      ? new ApiError('JOB.1002', `the job uuid ${uuid} is already in use`)
      : new ApiError('SYS.1005', `${busy.operation} is still running on ${subjectUuid}, as job ${busy.uuid}`)
  }

  /** A call that failed at once, kept as a job for clients that read errors only there. */
  async recordFailure(
    tx: Tx,
    request: JobRequest & { uuid: string },
    operation: string,
    failure: ApiError,
  ): Promise<void> {
    const { store, seals, clock } = this.#parts
    const row = {
      ...freshRow(request, operation, clock.now()),
      errorCode: failure.code,
      sealedInput: seals.sealInput(request.uuid, null),
      sealedOutcome: seals.sealOutcome(request.uuid, { failure: storeFailure(failure) }),
    }
    if (!(await store.insert(tx, row, 0))) throw await this.#refusal(tx, request.uuid, null)
    await store.removeRefused(tx, request.caller.userUuid, userLimits.refusedCalls)
  }

  /** A call that succeeded at once, kept as a job for clients that read every answer there. */
  async recordSuccess(
    tx: Tx,
    request: JobRequest & { uuid: string },
    operation: string,
    answer: object,
  ): Promise<void> {
    const { store, seals, clock } = this.#parts
    const row = {
      ...freshRow(request, operation, clock.now()),
      state: 'Succeeded' as const,
      progress: 100,
      sealedInput: seals.sealInput(request.uuid, null),
      sealedOutcome: seals.sealOutcome(request.uuid, { answer }),
    }
    if (!(await store.insert(tx, row, 0))) throw await this.#refusal(tx, request.uuid, null)
  }

  /**
   * Replaces an answer that holds a secret by one without it; true for the one reader who was first, as long as the user
   * whose job it is exists.
   */
  async takeSecret({ uuid, userUuid, sealedOutcome }: JobRow, answer: object): Promise<boolean> {
    const { database, store, seals } = this.#parts
    const without = seals.sealOutcome(uuid, { answer })
    return database.transaction((tx) => store.replaceOutcome(tx, { uuid, userUuid, sealedOutcome }, without))
  }

  async get(uuid: string): Promise<JobRow> {
    const row = await this.#parts.store.find(uuid)
    if (row === undefined) throw notFound('job', uuid)
    return row
  }

  outcome(row: JobRow): Outcome | undefined {
    return isActive(row.state) ? undefined : this.#parts.seals.openOutcome(row)
  }

  token(uuid: string): string {
    return this.#parts.seals.token(uuid)
  }

  /** The row once the job has ended, or as it stands when the time is up or the signal says so. */
  async wait(uuid: string, timeoutMs: number, signal?: AbortSignal): Promise<JobRow> {
    // not by the time of day, which may be set meanwhile
    const until = performance.now() + timeoutMs
    let isAwake = false
    let goOn = (): void => {}
    const wake = (): void => {
      isAwake = true
      goOn()
    }
    const stopListening = this.#onFinish(uuid, wake)
    using _listening = onAbort(signal, wake)
    try {
      for (;;) {
        // before looking, so that a finish is heard that comes while the row is on its way
        isAwake = false
        const row = await this.get(uuid)
        const left = until - performance.now()
        if (!isActive(row.state) || left <= 0 || signal?.aborted) return row
        if (isAwake) continue
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(left, waitLookMs))
          goOn = () => {
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

  /** Asks; the owner, wherever it is, stops the step and undoes. */
  async cancel(tx: Tx, caller: Canceller, uuid: string): Promise<void> {
    const { store, events } = this.#parts
    const row = await store.find(uuid, tx)
    if (row === undefined) throw notFound('job', uuid)
    if (!mayCancel(caller, row)) throw new ApiError('ID.1002', 'only an admin may cancel the job of another user')
    if (!(await store.requestCancel(tx, uuid))) {
      const state = (await store.find(uuid, tx))?.state
      throw new ApiError('JOB.1001', `job ${uuid} is ${state}; only a waiting or running job can be cancelled`)
    }
    await events.record(tx, { type: 'CancelRequested', resourceType: 'ApiJob', uuid })
  }

  /** A record that goes must not have a job behind it. */
  async refuseBusy(tx: Tx, subjectUuid: string): Promise<void> {
    const busy = await this.#parts.store.findActiveBySubject(subjectUuid, tx)
    if (busy)
      throw new ApiError('SYS.1004', `${busy.operation} is still running on ${subjectUuid}, as job ${busy.uuid}`)
  }

  /** The job that works on this record, if there is one. */
  findActive(subjectUuid: string, from?: Tx): Promise<ActiveJob | undefined> {
    return this.#parts.store.findActiveBySubject(subjectUuid, from)
  }

  /** Stops what runs on a record, by the rule of `cancel`, and returns when it has stopped and undone. */
  async cancelSubject(
    { caller, authorise }: { caller: Canceller; authorise(tx: Tx): Promise<void> },
    subjectUuid: string,
  ): Promise<void> {
    const { database, store, events } = this.#parts
    const busy = await database.transaction(async (tx) => {
      await authorise(tx)
      const job = await store.findActiveBySubject(subjectUuid, tx)
      // one that is being undone is not cancelled, only waited for
      if (job && job.state !== 'Undoing' && !mayCancel(caller, job)) throw othersJob(job, subjectUuid)
      if (job && (await store.requestCancel(tx, job.uuid)))
        await events.record(tx, { type: 'CancelRequested', resourceType: 'ApiJob', uuid: job.uuid })
      return job
    })
    if (busy) await this.wait(busy.uuid, stopSubjectMs)
  }

  readLog(uuid: string, after: number, limit: number) {
    return this.#parts.store.readLog(uuid, after, limit)
  }

  countActive() {
    return this.#parts.store.countActive()
  }

  async removeOld(): Promise<void> {
    const { database, store, clock } = this.#parts
    const date = clock.now() - keepFinishedMs
    await deleteInBatches(database, (tx, limit) => store.removeFinishedBefore(tx, date, limit))
  }
}
