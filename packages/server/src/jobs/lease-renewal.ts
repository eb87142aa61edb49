import type { JobRun } from './run.ts'
import type { RunnerDeps } from './runner-deps.ts'

interface LeaseRenewalDeps extends Pick<RunnerDeps, 'database' | 'claims' | 'log' | 'limits' | 'owner'> {
  readonly runs: () => JobRun[]
  readonly onExpired: () => void
}

/** Renews the leases of all jobs that this process runs, in one transaction. */
export class LeaseRenewal {
  readonly #deps: LeaseRenewalDeps
  #isRenewing = false

  constructor(deps: LeaseRenewalDeps) {
    this.#deps = deps
  }

  async renew(): Promise<void> {
    const { database, claims, log, limits, owner, onExpired } = this.#deps
    const runs = this.#deps.runs()
    const leasedAt = performance.now()
    const expired = runs.filter((run) => !run.lease.isValid)
    for (const run of expired) run.lease.detach('the lease could not be renewed')
    if (expired.length > 0) onExpired()
    if (this.#isRenewing || runs.length === 0) return
    this.#isRenewing = true
    try {
      const uuids = runs.map(({ row }) => row.uuid)
      const renewed = await database.transaction((tx) => claims.renew(tx, owner, uuids, limits.leaseMs), {
        isUrgent: true,
      })
      const stillOwned = new Map(renewed.map((row) => [row.uuid, row]))
      for (const run of runs) {
        const row = stillOwned.get(run.row.uuid)
        // one that ended meanwhile has no owner, and nothing that could be stopped
        if (row === undefined && run.isEnding) continue
        if (row === undefined || row.fence !== run.row.fence) run.lease.detach('another process owns the job')
        else {
          run.lease.renew(leasedAt)
          if (row.cancelRequested) run.cancel()
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'the leases of the running jobs could not be renewed')
    } finally {
      this.#isRenewing = false
    }
  }
}
