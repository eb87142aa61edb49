import type { Operation } from '@wharf/contract'
import { waitAtMost } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobDefinition } from './definition.ts'
import { Detached } from './detached.ts'
import type { JobRow } from './job-row.ts'
import type { KnownInput } from './job-state.ts'
import { LeaseRenewal } from './lease-renewal.ts'
import { LostNodeJobs } from './lost-node-jobs.ts'
import { RetryPauses } from './retry-pauses.ts'
import { JobRun } from './run.ts'
import type { RunnerDeps } from './runner-deps.ts'

/** Draining has ten seconds in all. */
const stopMs = 7000
/** Jobs that only have to be ended, claimed while the runner has no capacity for others. */
const maxEnding = 64

/** Runs the jobs that this process owns, and claims those without an owner. */
export class JobRunner {
  readonly #deps: RunnerDeps
  readonly #definitions = new Map<string, JobDefinition>()
  readonly #running = new Map<string, { run: JobRun; ended: Promise<void> }>()
  #timers: NodeJS.Timeout[] = []
  #isStarted = false
  #isStopping = false
  #hasWaitingJobs = false
  #claiming: Promise<void> | undefined
  readonly #leaseRenewal: LeaseRenewal
  readonly #lostNodeJobs: LostNodeJobs
  readonly #pauses: RetryPauses

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#pauses = new RetryPauses(deps.limits.leaseMs)
    this.#lostNodeJobs = new LostNodeJobs({ ...deps, definitions: this.#definitions })
    this.#leaseRenewal = new LeaseRenewal({
      ...deps,
      runs: () => [...[...this.#running.values()].map(({ run }) => run), ...this.#lostNodeJobs.runs],
      onExpired: () => this.#lostNodeJobs.nodeWasLost(),
    })
  }

  register(definition: JobDefinition): void {
    this.#definitions.set(definition.operation.name, definition)
  }

  operation(name: string): Operation {
    const definition = this.#definitions.get(name)
    if (definition === undefined) throw new ApiError('SYS.1014', `this version has no operation ${name}`)
    return definition.operation
  }

  /** Empty for an operation that this version does not have, or that is not a job. */
  stepNames(operation: string): string[] {
    return this.#definitions.get(operation)?.steps.map(({ name }) => name) ?? []
  }

  /** `afterCrash`: this process has the node's lock, so the jobs that the node owned before are free. */
  async start(afterCrash: boolean): Promise<void> {
    const { database, claims, events, limits } = this.#deps
    if (afterCrash) await database.transaction((tx) => claims.releaseOwned(tx, this.#deps.nodeUuid))
    const cancel = ({ type, uuid }: { type: string; uuid: string }): void => {
      if (type === 'CancelRequested') this.#running.get(uuid)?.run.cancel()
    }
    // a request of this node right after its commit, one of another node with its event
    events.subscribeToThisNode(cancel)
    events.subscribe(cancel)
    this.#isStarted = true
    this.#timers = [
      setInterval(() => this.#leaseRenewal.renew(), limits.renewMs),
      setInterval(() => this.#claim(), limits.claimMs),
      setInterval(() => this.#lostNodeJobs.check(), limits.renewMs),
    ]
    await this.#claim()
  }

  /** Releases every job, unfinished, for another process to claim. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { run } of this.#running.values()) run.lease.detach('this process is shutting down')
    const ended = Promise.all([...this.#running.values()].map(({ ended }) => ended))
    await waitAtMost(stopMs, Promise.all([ended, this.#claiming, this.#lostNodeJobs.stop()]))
    const { database, claims } = this.#deps
    await database.transaction((tx) => claims.releaseOwned(tx, this.#deps.nodeUuid)).catch(() => {})
  }

  get owner(): string {
    return this.#deps.owner
  }

  get isRunning(): boolean {
    return this.#isStarted && !this.#isStopping
  }

  get hasCapacity(): boolean {
    return this.isRunning && this.#running.size < this.#deps.limits.maxRunning
  }

  isRunningJob(jobUuid: string): boolean {
    return this.#running.has(jobUuid)
  }

  get runningCount(): number {
    return this.#running.size
  }

  /** A job was enqueued that this runner has no capacity for. */
  expectWaiting(): void {
    this.#hasWaitingJobs = true
    this.#claimWhenHalfEmpty()
  }

  /** Claims half the capacity at a time: one query for each job that ends would cost more than the job. */
  #claimWhenHalfEmpty(): void {
    if (this.#hasWaitingJobs && this.#running.size <= this.#deps.limits.maxRunning / 2) void this.#claim()
  }

  /** Runs a job that this process already owns; `leasedAt` is by `performance.now()`. */
  run(row: JobRow, leasedAt: number, known?: KnownInput): void {
    const definition = this.#definitions.get(row.operation)
    // an older version may find a job of a newer one, which only the newer one can run
    if (definition === undefined || this.#isStopping || this.#running.has(row.uuid)) return
    const run = this.#open(definition, row, leasedAt, known)
    if (run === undefined) return
    const ended = run
      .execute()
      .catch((error: unknown) => {
        if (!(error instanceof Detached)) this.#deps.log.error({ err: error, job: row.uuid }, 'a job failed to finish')
      })
      .finally(() => {
        this.#running.delete(row.uuid)
        this.#claimWhenHalfEmpty()
      })
    this.#running.set(row.uuid, { run, ended })
  }

  /** Undefined when the job cannot be read; its lease expires, and it is retried after a pause. */
  #open(definition: JobDefinition, row: JobRow, leasedAt: number, known?: KnownInput): JobRun | undefined {
    try {
      const run = new JobRun(this.#deps, definition, row, leasedAt, known)
      this.#pauses.delete(row.uuid)
      return run
    } catch (error) {
      if (this.#pauses.add(row.uuid))
        this.#deps.log.error({ err: error, job: row.uuid }, 'a job failed to finish; it is retried with growing pauses')
      return undefined
    }
  }

  #claim(): Promise<void> {
    if (!this.isRunning || this.#definitions.size === 0) return Promise.resolve()
    this.#claiming ??= this.#claimFree().finally(() => {
      this.#claiming = undefined
      // a job enqueued meanwhile may have been too late for this query
      if (this.hasCapacity) this.#claimWhenHalfEmpty()
    })
    return this.#claiming
  }

  async #claimFree(): Promise<void> {
    const { database, claims, clock, log, limits } = this.#deps
    const capacity = Math.max(limits.maxRunning - this.#running.size, 0)
    const claimant = {
      owner: this.owner,
      nodeUuid: this.#deps.nodeUuid,
      operations: [...this.#definitions.keys()],
      running: [...this.#running.keys(), ...this.#pauses.waiting],
      leaseMs: limits.leaseMs,
      ...(capacity > 0 ? { limit: capacity } : { limit: maxEnding, endingBefore: clock.now() }),
    }
    try {
      const leasedAt = performance.now()
      if (capacity > 0) this.#hasWaitingJobs = false
      // the jobs of a lost node must not wait behind the calls that this node receives in its place
      const rows = await database.transaction((tx) => claims.claim(tx, claimant), { isUrgent: true })
      if (capacity > 0 && rows.length === capacity) this.#hasWaitingJobs = true
      for (const row of rows) this.run(row, leasedAt)
    } catch (error) {
      log.warn({ err: error }, 'waiting jobs could not be claimed')
    }
  }
}
