import type { Operation } from '@wharf/contract'
import { waitAtMost } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { JobDefinition } from './definition.ts'
import type { JobRow } from './job-row.ts'
import type { RunParts } from './parts.ts'
import { Detached } from './record.ts'
import { RetryPauses } from './retry-pauses.ts'
import { JobRun } from './run.ts'
import { StrandedJobs } from './stranded.ts'

/** Draining has ten seconds in all. */
const stopMs = 7000
/** Jobs that only have to be ended, when there is no room for others. */
const maxEnding = 64

/** Runs the jobs that this process owns, and takes over those that nobody does. */
export class JobRunner {
  readonly #parts: RunParts
  readonly #nodeUuid: string
  /** This process of this node; a restarted node is another owner. */
  readonly owner: string
  readonly #definitions = new Map<string, JobDefinition>()
  readonly #running = new Map<string, { run: JobRun; ended: Promise<void> }>()
  #timers: NodeJS.Timeout[] = []
  #started = false
  #stopping = false
  #someWait = false
  #claiming: Promise<void> | undefined
  #renewing = false
  readonly #stranded: StrandedJobs
  readonly #pauses: RetryPauses

  constructor(parts: RunParts, nodeUuid: string) {
    this.#parts = parts
    this.#nodeUuid = nodeUuid
    this.owner = `${nodeUuid}:${newUuid()}`
    this.#pauses = new RetryPauses(parts.limits.leaseMs)
    this.#stranded = new StrandedJobs({ ...parts, owner: this.owner, nodeUuid, definitions: this.#definitions })
  }

  register(definition: JobDefinition): void {
    this.#definitions.set(definition.operation.name, definition)
  }

  operation(name: string): Operation {
    const definition = this.#definitions.get(name)
    if (definition === undefined) throw new ApiError('SYS.1014', `this version does not know the operation ${name}`)
    return definition.operation
  }

  /** `afterCrash`: this process holds the node's lock, so whatever the node owned before is free. */
  async start(afterCrash: boolean): Promise<void> {
    const { database, store, events, limits } = this.#parts
    if (afterCrash) await database.transaction((tx) => store.abandonOwned(tx, this.#nodeUuid))
    events.subscribe((change) => {
      if (change.type === 'CancelRequested') this.#running.get(change.uuid)?.run.cancel()
    })
    this.#started = true
    this.#timers = [
      setInterval(() => this.#renew(), limits.renewMs),
      setInterval(() => this.#claim(), limits.claimMs),
      setInterval(() => this.#stranded.look(), limits.renewMs),
    ]
    await this.#claim()
  }

  /** Gives every job back, unfinished and free to be taken. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { run } of this.#running.values()) run.hold.giveUp('this process is shutting down')
    const ended = Promise.all([...this.#running.values()].map(({ ended }) => ended))
    await waitAtMost(stopMs, Promise.all([ended, this.#claiming, this.#stranded.stop()]))
    const { database, store } = this.#parts
    await database.transaction((tx) => store.abandonOwned(tx, this.#nodeUuid)).catch(() => {})
  }

  get isRunning(): boolean {
    return this.#started && !this.#stopping
  }

  get hasRoom(): boolean {
    return this.isRunning && this.#running.size < this.#parts.limits.maxRunning
  }

  runs(jobUuid: string): boolean {
    return this.#running.has(jobUuid)
  }

  get runningCount(): number {
    return this.#running.size
  }

  /** A job was queued that found no room here. */
  expectWaiting(): void {
    this.#someWait = true
    this.#claimWhenHalfEmpty()
  }

  /** Half a house at a time: one search for each job that ends would cost more than the job. */
  #claimWhenHalfEmpty(): void {
    if (this.#someWait && this.#running.size <= this.#parts.limits.maxRunning / 2) void this.#claim()
  }

  /** Runs a job that this process already owns, since it asked for it by `performance.now()`. */
  run(row: JobRow, leasedAt: number): void {
    const definition = this.#definitions.get(row.operation)
    // an older version may meet a job of a newer one: leave it to those who know it
    if (definition === undefined || this.#stopping || this.#running.has(row.uuid)) return
    const run = this.#take(definition, row, leasedAt)
    if (run === undefined) return
    const ended = run
      .execute()
      .catch((error: unknown) => {
        if (!(error instanceof Detached))
          this.#parts.log.error({ err: error, job: row.uuid }, 'a job could not be brought to an end')
      })
      .finally(() => {
        this.#running.delete(row.uuid)
        this.#claimWhenHalfEmpty()
      })
    this.#running.set(row.uuid, { run, ended })
  }

  /** None when it cannot even be read; its lease runs out, and it is tried again after a pause. */
  #take(definition: JobDefinition, row: JobRow, leasedAt: number): JobRun | undefined {
    try {
      const run = new JobRun(this.#parts, definition, row, { owner: this.owner, leasedAt })
      this.#pauses.delete(row.uuid)
      return run
    } catch (error) {
      if (this.#pauses.add(row.uuid))
        this.#parts.log.error(
          { err: error, job: row.uuid },
          'a job could not be brought to an end; it is tried again, ever less often',
        )
      return undefined
    }
  }

  async #renew(): Promise<void> {
    const { database, store, log, limits } = this.#parts
    const runs = [...[...this.#running.values()].map(({ run }) => run), ...this.#stranded.runs]
    const began = performance.now()
    const lost = runs.filter((run) => !run.hold.isOwned)
    for (const run of lost) run.hold.giveUp('the lease could not be renewed')
    if (lost.length > 0) this.#stranded.wasAway()
    if (this.#renewing || runs.length === 0) return
    this.#renewing = true
    try {
      const uuids = runs.map(({ row }) => row.uuid)
      const held = await database.transaction((tx) => store.renew(tx, this.owner, uuids, limits.leaseMs), {
        isUrgent: true,
      })
      const stillOurs = new Map(held.map((row) => [row.uuid, row]))
      for (const run of runs) {
        const row = stillOurs.get(run.row.uuid)
        if (row === undefined || row.fence !== run.row.fence) run.hold.giveUp('another process owns the job')
        else {
          run.hold.renewed(began)
          if (row.cancelRequested) run.cancel()
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'the leases of the running jobs could not be renewed')
    } finally {
      this.#renewing = false
    }
  }

  #claim(): Promise<void> {
    if (!this.isRunning || this.#definitions.size === 0) return Promise.resolve()
    this.#claiming ??= this.#takeFree().finally(() => {
      this.#claiming = undefined
      // one that was queued meanwhile may have come too late for this search
      if (this.hasRoom) this.#claimWhenHalfEmpty()
    })
    return this.#claiming
  }

  async #takeFree(): Promise<void> {
    const { database, store, clock, log, limits } = this.#parts
    const room = Math.max(limits.maxRunning - this.#running.size, 0)
    const claimant = {
      owner: this.owner,
      nodeUuid: this.#nodeUuid,
      operations: [...this.#definitions.keys()],
      running: [...this.#running.keys(), ...this.#pauses.waiting],
      leaseMs: limits.leaseMs,
      ...(room > 0 ? { limit: room } : { limit: maxEnding, endingBefore: clock.now() }),
    }
    try {
      const leasedAt = performance.now()
      if (room > 0) this.#someWait = false
      // the jobs of a node that is gone must not wait behind the calls that this one gets in its place
      const rows = await database.transaction((tx) => store.claim(tx, claimant), { isUrgent: true })
      if (room > 0 && rows.length === room) this.#someWait = true
      for (const row of rows) this.run(row, leasedAt)
    } catch (error) {
      log.warn({ err: error }, 'waiting jobs could not be taken')
    }
  }
}
