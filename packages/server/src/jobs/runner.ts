import { setTimeout as delay } from 'node:timers/promises'
import type { Operation } from '@wharf/contract'
import { ApiError } from '../platform/api-error.ts'
import { newUuid } from '../platform/ids.ts'
import type { JobDefinition } from './definition.ts'
import { Detached, JobRun, type RunParts } from './run.ts'
import type { JobRow } from './store.ts'

/** A lease is renewed five times before it could run out. */
export const leaseMs = 10_000
const renewMs = 2000
const claimMs = 1000
/** Steps mostly wait for hosts, so many can run at once; the rest waits its turn. */
const maxRunning = 256
/** Draining has ten seconds in all. */
const stopMs = 7000

/** Runs the jobs that this process owns, and takes over those that nobody does. */
export class JobRunner {
  readonly #parts: RunParts
  readonly #nodeUuid: string
  /** This process of this node; a restarted node is another owner. */
  readonly owner: string
  readonly #definitions = new Map<string, JobDefinition>()
  readonly #running = new Map<string, { run: JobRun; ended: Promise<void> }>()
  #timers: NodeJS.Timeout[] = []
  #stopping = false
  #busy = false

  constructor(parts: RunParts, nodeUuid: string) {
    this.#parts = parts
    this.#nodeUuid = nodeUuid
    this.owner = `${nodeUuid}:${newUuid()}`
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
    const { database, store, events } = this.#parts
    if (afterCrash) await database.transaction((tx) => store.abandonOwned(tx, this.#nodeUuid))
    events.subscribe((change) => {
      if (change.type === 'CancelRequested') this.#running.get(change.uuid)?.run.cancel()
    })
    this.#timers = [setInterval(() => this.#renew(), renewMs), setInterval(() => this.#claim(), claimMs)]
    await this.#claim()
  }

  /** Gives every job back, unfinished and free to be taken. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const { run } of this.#running.values()) run.detach('this process is shutting down')
    const ended = Promise.all([...this.#running.values()].map(({ ended }) => ended))
    await Promise.race([ended, delay(stopMs, undefined, { ref: false })])
    const { database, store } = this.#parts
    await database.transaction((tx) => store.abandonOwned(tx, this.#nodeUuid)).catch(() => {})
  }

  get hasRoom(): boolean {
    return !this.#stopping && this.#running.size < maxRunning
  }

  get runningCount(): number {
    return this.#running.size
  }

  /** Runs a job that this process already owns. */
  run(row: JobRow): void {
    const definition = this.#definitions.get(row.operation)
    // an older version may meet a job of a newer one: leave it to those who know it
    if (definition === undefined || this.#stopping || this.#running.has(row.uuid)) return
    const run = new JobRun(this.#parts, definition, row, this.owner)
    const ended = run
      .execute()
      .catch((error: unknown) => {
        if (!(error instanceof Detached))
          this.#parts.log.error({ err: error, job: row.uuid }, 'a job could not be brought to an end')
      })
      .finally(() => {
        const wasFull = this.#running.size >= maxRunning
        this.#running.delete(row.uuid)
        if (wasFull) void this.#claim()
      })
    this.#running.set(row.uuid, { run, ended })
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return
    const { database, store, log } = this.#parts
    const before = new Set(this.#running.keys())
    try {
      const held = await database.transaction((tx) => store.renew(tx, this.owner, leaseMs))
      const stillOurs = new Map(held.map((row) => [row.uuid, row]))
      for (const uuid of before) {
        const job = this.#running.get(uuid)
        const row = stillOurs.get(uuid)
        if (job === undefined) continue
        if (row === undefined || row.fence !== job.run.row.fence) job.run.detach('another process owns the job')
        else if (row.cancelRequested) job.run.cancel()
      }
    } catch (error) {
      log.warn({ err: error }, 'the leases of the running jobs could not be renewed')
    }
  }

  async #claim(): Promise<void> {
    if (this.#busy || !this.hasRoom) return
    this.#busy = true
    const { database, store, log } = this.#parts
    try {
      const room = maxRunning - this.#running.size
      const rows = await database.transaction((tx) => store.claim(tx, this.owner, this.#nodeUuid, leaseMs, room))
      for (const row of rows) this.run(row)
    } catch (error) {
      log.warn({ err: error }, 'waiting jobs could not be taken')
    } finally {
      this.#busy = false
    }
  }
}
