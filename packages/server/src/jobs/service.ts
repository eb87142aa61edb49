import { isActiveJob, ownsJob } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { ImmediateResults } from './immediate-results.ts'
import { JobCancellation } from './job-cancellation.ts'
import { JobClaimStore, type NodeQueries } from './job-claim-store.ts'
import { JobLogStore } from './job-log-store.ts'
import { busyText, JobQueue } from './job-queue.ts'
import type { JobResult } from './job-result.ts'
import type { JobRow } from './job-row.ts'
import { type JobTimeline, jobTimeline } from './job-timeline.ts'
import type { JobUser } from './job-user.ts'
import { JobWaiters } from './job-waiters.ts'
import { JobWrites } from './job-writes.ts'
import { type JobLimits, jobLimits } from './limits.ts'
import { JobRunner } from './runner.ts'
import type { RunnerDeps } from './runner-deps.ts'
import { noStoredCall, SealedState, type SentCall } from './sealed-state.ts'
import { type ActiveJob, JobStore } from './store.ts'

interface JobServiceDeps
  extends Pick<RunnerDeps, 'database' | 'audit' | 'events' | 'systemEvents' | 'clock' | 'log' | 'nodeUuid'> {
  nodes: NodeQueries
  sealing: Sealing
  limits?: Partial<JobLimits> | undefined
}

const keepFinishedMs = 7 * 86_400_000
/** The call of a failed job may contain secrets. */
const keepCallMs = 86_400_000

/** Jobs as the rest of the server uses them. */
export class JobService {
  readonly runner: JobRunner
  readonly #deps: RunnerDeps
  readonly #waiters: JobWaiters
  /** In the transaction that creates or changes the record: both happen or neither. */
  readonly enqueue: JobQueue['enqueue']
  readonly wait: JobWaiters['wait']
  readonly cancel: JobCancellation['cancel']
  readonly cancelSubject: JobCancellation['cancelSubject']
  readonly recordFailure: ImmediateResults['recordFailure']
  readonly recordSuccess: ImmediateResults['recordSuccess']

  constructor({ nodes, sealing, limits, ...given }: JobServiceDeps) {
    const { database } = given
    const deps = {
      ...given,
      store: new JobStore(database),
      claims: new JobClaimStore({ database, nodes }),
      logs: new JobLogStore(database),
      sealed: new SealedState(sealing),
      limits: { ...jobLimits, ...limits },
      owner: `${given.nodeUuid}:${newUuid()}`,
    }
    this.#deps = { ...deps, writes: new JobWrites(deps) }
    this.runner = new JobRunner(this.#deps)
    const { runner } = this
    const queue = new JobQueue({ ...deps, runner })
    const waiters = new JobWaiters({ ...deps, runner })
    const cancellation = new JobCancellation({ ...deps, waiters })
    const results = new ImmediateResults(deps)
    this.#waiters = waiters
    this.enqueue = queue.enqueue.bind(queue)
    this.wait = waiters.wait.bind(waiters)
    this.cancel = cancellation.cancel.bind(cancellation)
    this.cancelSubject = cancellation.cancelSubject.bind(cancellation)
    this.recordFailure = results.recordFailure.bind(results)
    this.recordSuccess = results.recordSuccess.bind(results)
  }

  async start(afterCrash: boolean): Promise<void> {
    this.#waiters.start()
    await this.runner.start(afterCrash)
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
    if (busy) throw new ApiError('SYS.1004', busyText(busy, subjectUuid))
  }

  /** Every job that has not ended, with its subject. */
  readonly listActive = (from?: Tx) => this.#deps.store.listActive(from)

  /** The job that works on this record, if there is one. */
  findActive(subjectUuid: string, from?: Tx): Promise<ActiveJob | undefined> {
    return this.#deps.store.findActive(subjectUuid, from)
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
