import { Detached } from './detached.ts'
import type { JobRow } from './job-row.ts'
import type { Ownership } from './ownership.ts'
import type { RunnerDeps } from './runner-deps.ts'

/** The part of its lease that an owner uses: in the rest its work stops before another owner starts. */
const usableLease = 0.7

type LeaseDeps = Pick<RunnerDeps, 'database' | 'limits'>

/** The lease of this process on a job: valid while it is renewed and no other owner appears. */
export class Lease {
  readonly #deps: LeaseDeps
  readonly #job: Pick<JobRow, 'uuid' | 'fence'>
  /** Aborted when the lease is given up. */
  readonly detached = new AbortController()
  /** By `performance.now()`, before the query. */
  #leasedAt: number

  constructor(deps: LeaseDeps, job: Pick<JobRow, 'uuid' | 'fence'>, leasedAt: number) {
    this.#deps = deps
    this.#job = job
    this.#leasedAt = leasedAt
  }

  get signal(): AbortSignal {
    return this.detached.signal
  }

  renew(leasedAt: number): void {
    this.#leasedAt = leasedAt
  }

  /** A process that cannot renew must assume that another takes over; on SQLite there is no other. */
  get isValid(): boolean {
    const { database, limits } = this.#deps
    return database.engine === 'sqlite' || performance.now() - this.#leasedAt < limits.leaseMs * usableLease
  }

  /** The next owner resumes at the same step. */
  detach(reason: string): void {
    this.detached.abort(new Detached(reason))
  }

  get ownership(): Ownership {
    const loseOwnership = (reason = 'another process owns the job'): Error => {
      this.detach(reason)
      return this.signal.reason as Error
    }
    return {
      jobUuid: this.#job.uuid,
      fence: this.#job.fence,
      requireOwned: () => {
        this.signal.throwIfAborted()
        if (!this.isValid) throw loseOwnership('the lease has expired')
      },
      loseOwnership: () => loseOwnership(),
    }
  }
}
