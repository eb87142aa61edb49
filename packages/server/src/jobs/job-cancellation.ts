import { ownsJob } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { JobRow } from './job-row.ts'
import { type JobUser, othersJob } from './job-user.ts'
import type { JobWaiters } from './job-waiters.ts'
import type { RunnerDeps } from './runner-deps.ts'

/** How long a call waits for the job of another call to stop and undo its steps. */
const stopSubjectMs = 120_000

interface JobCancellationDeps extends Pick<RunnerDeps, 'database' | 'store' | 'events'> {
  readonly waiters: JobWaiters
}

/** Requests cancellations; the owner of the job, on whichever node, stops the step and undoes. */
export class JobCancellation {
  readonly #deps: JobCancellationDeps

  constructor(deps: JobCancellationDeps) {
    this.#deps = deps
  }

  async cancel(tx: Tx, caller: JobUser, uuid: string): Promise<void> {
    const { store } = this.#deps
    const row = await store.find(uuid, tx)
    if (row === undefined) throw notFound('job', uuid)
    if (!ownsJob(caller, row))
      throw new ApiError(
        'ID.1002',
        'only an admin may cancel the job of another user; ask an admin, or wait until it has ended',
      )
    if (!(await this.#request(tx, row))) {
      const state = (await store.find(uuid, tx))?.state
      throw new ApiError('JOB.1001', `job ${uuid} is ${state}; only a waiting or running job can be cancelled`)
    }
  }

  /** Cancels the job of a record, with the rights that `cancel` needs, and returns when it has been undone. */
  async cancelSubject(
    { caller, authorise }: { caller: JobUser; authorise(tx: Tx): Promise<void> },
    subjectUuid: string,
  ): Promise<void> {
    const { database, store, waiters } = this.#deps
    const busy = await database.transaction(async (tx) => {
      await authorise(tx)
      const job = await store.findActive(subjectUuid, tx)
      // a job that is being undone needs no cancellation
      if (job && job.state !== 'Undoing' && !ownsJob(caller, job)) throw othersJob(job, subjectUuid)
      if (job) await this.#request(tx, job)
      return job
    })
    if (busy) await waiters.wait(busy.uuid, stopSubjectMs)
  }

  /** False when the job has ended or is already being undone. */
  async #request(tx: Tx, { uuid, summary }: Pick<JobRow, 'uuid' | 'summary'>): Promise<boolean> {
    const { store, events } = this.#deps
    if (!(await store.requestCancel(tx, uuid))) return false
    const images = { before: { summary, cancelRequested: 0 }, after: { summary, cancelRequested: 1 } }
    await events.record(tx, { type: 'CancelRequested', resourceType: 'ApiJob', uuid, ...images })
    return true
  }
}
