import { AsyncLocalStorage } from 'node:async_hooks'
import { type Database, prepareCommit, sharedPart, type Tx } from '@wharf/database/database.ts'
import { isConnectionFailure } from '@wharf/database/failures.ts'
import { withSource } from '../audit/audit-source.ts'
import type { Outbox } from '../events/outbox.ts'
import { Detached } from './detached.ts'
import type { JobLogStore } from './job-log-store.ts'
import type { JobRow } from './job-row.ts'
import type { JobSource } from './job-source.ts'
import type { LogLine } from './log-buffer.ts'
import { type ClaimedJob, updateOwned } from './owned-updates.ts'
import type { JobStore } from './store.ts'

/** What one job writes in a transaction that others share. */
export interface JobWrite {
  readonly job: ClaimedJob
  /** Of what `change` does. */
  readonly source: JobSource
  readonly lines: readonly LogLine[]
  readonly event: 'Updated' | 'Finished'
  /** Returns the new values of the job's row; `earlier` is what its transactions before have changed of its subject. */
  change(tx: Tx, earlier: string | null): Promise<Partial<JobRow>>
}

type PendingWrite = JobWrite & PromiseWithResolvers<void>

/** The locks of the first are kept until the last is written. */
const jobsPerTransaction = 32
/** One that takes longer than this may wait for a lock, and the next does not wait for it. */
const stalledMs = 50
const maxTransactions = 4

const jobEvent = { resourceType: 'ApiJob', isRoutine: true } as const

interface JobWritesDeps {
  readonly database: Database
  readonly store: JobStore
  readonly logs: JobLogStore
  readonly events: Outbox
  readonly owner: string
}

/**
 * Group commit: what jobs write while earlier writes are committed shares a transaction and its statements. A job that
 * writes alone waits for no other. Each write is fenced, and settles after its commit.
 */
export class JobWrites {
  readonly #deps: JobWritesDeps
  #waiting: PendingWrite[] = []
  #running = 0
  #next: NodeJS.Immediate | undefined
  #nextWhenStalled: NodeJS.Timeout | undefined
  /** A transaction of many jobs does not run in the context of the one that started it. */
  readonly #outsideOfJobs = AsyncLocalStorage.snapshot()

  constructor(deps: JobWritesDeps) {
    this.#deps = deps
  }

  /** Rejects with Detached when another process owns the job. */
  write(write: JobWrite): Promise<void> {
    const settled = Promise.withResolvers<void>()
    this.#waiting.push({ ...write, ...settled })
    this.#schedule()
    return settled.promise
  }

  /**
   * At the end of this turn of the event loop, for all that write in it. One transaction at a time: two that change the
   * same records in another order would block each other.
   */
  #schedule(): void {
    if (this.#waiting.length === 0 || this.#running === maxTransactions) return
    const start = (): void => this.#start()
    this.#outsideOfJobs(() => {
      if (this.#running === 0) this.#next ??= setImmediate(start)
      else this.#nextWhenStalled ??= setTimeout(start, stalledMs)
    })
  }

  #start(): void {
    clearImmediate(this.#next)
    clearTimeout(this.#nextWhenStalled)
    this.#next = undefined
    this.#nextWhenStalled = undefined
    this.#running++
    void this.#commit(this.#waiting.splice(0, jobsPerTransaction)).finally(() => {
      this.#running--
      this.#schedule()
    })
    this.#schedule()
  }

  async #commit(writes: readonly PendingWrite[]): Promise<void> {
    try {
      await this.#deps.database.transaction((tx) => this.#writeAll(tx, writes))
      for (const { resolve } of writes) resolve()
    } catch (error) {
      if (writes.length === 1 || isConnectionFailure(error)) for (const { reject } of writes) reject(error)
      // the failure of one must not become that of the others
      else for (const write of writes) await this.#commit([write])
    }
  }

  async #writeAll(tx: Tx, writes: readonly JobWrite[]): Promise<void> {
    const { database, store, logs, events, owner } = this.#deps
    const uuids = writes.map(({ job }) => job.uuid)
    const withChanges = writes.filter(({ source }) => source.hasSubjectChanges).map(({ job }) => job.uuid)
    const subjectChanges = withChanges.length === 0 ? undefined : await store.subjectChanges(tx, withChanges)
    const parts = writes.map((write) => ({ ...write, part: sharedPart(tx) }))
    const updates = []
    // one after the other: they may read and change the same records
    for (const { job, source, part, change } of parts) {
      const earlier = subjectChanges?.get(job.uuid) ?? null
      updates.push({ job, change: await withSource(source, () => change(part, earlier)) })
    }
    const lines = writes.flatMap(({ job, lines }) => lines.map((line) => ({ jobUuid: job.uuid, ...line })))
    const changes = writes.map(({ job, event }) => ({ ...jobEvent, type: event, uuid: job.uuid }))
    // after the changes, which may wait for other locks: a renewal of leases waits for these
    await store.lock(tx, uuids)
    if ((await updateOwned(database.engine, tx, owner, updates)) < updates.length)
      throw new Detached('another process owns the job')
    logs.append(tx, lines)
    await events.recordAll(tx, changes)
    for (const { source, part } of parts) await withSource(source, () => prepareCommit(part))
  }
}
