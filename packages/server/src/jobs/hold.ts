import type { JobRow } from './job-row.ts'
import type { Ownership } from './ownership.ts'
import type { RunParts } from './parts.ts'
import { Detached } from './record.ts'

/** The part of its lease that an owner uses: in the rest what it has begun can come to a stop, before another begins. */
const usableLease = 0.7

/** This process has a job, for as long as it renews its lease and nobody else is met. */
export class Hold {
  readonly #parts: Pick<RunParts, 'database' | 'limits'>
  readonly #job: Pick<JobRow, 'uuid' | 'fence'>
  /** Aborted when the job is given up. */
  readonly detached = new AbortController()
  /** By `performance.now()`, before the database was asked. */
  #leasedAt: number

  constructor(parts: Pick<RunParts, 'database' | 'limits'>, job: Pick<JobRow, 'uuid' | 'fence'>, leasedAt: number) {
    this.#parts = parts
    this.#job = job
    this.#leasedAt = leasedAt
  }

  get signal(): AbortSignal {
    return this.detached.signal
  }

  renewed(leasedAt: number): void {
    this.#leasedAt = leasedAt
  }

  /** Whoever cannot renew must assume that another takes over; on SQLite there is no other. */
  get isOwned(): boolean {
    const { database, limits } = this.#parts
    return database.engine === 'sqlite' || performance.now() - this.#leasedAt < limits.leaseMs * usableLease
  }

  /** Whoever owns the job next goes on at the same step. */
  giveUp(reason: string): void {
    this.detached.abort(new Detached(reason))
  }

  get ownership(): Ownership {
    const overtaken = (reason = 'another process owns the job'): Error => {
      this.giveUp(reason)
      return this.signal.reason as Error
    }
    return {
      jobUuid: this.#job.uuid,
      fence: this.#job.fence,
      requireOwned: () => {
        this.signal.throwIfAborted()
        if (!this.isOwned) throw overtaken('the lease has run out')
      },
      overtaken: () => overtaken(),
    }
  }
}
