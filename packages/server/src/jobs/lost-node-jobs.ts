import type { Tx } from '@wharf/database/database.ts'
import type { JobDefinition } from './definition.ts'
import { Detached } from './detached.ts'
import type { JobRow } from './job-row.ts'
import { RetryPauses } from './retry-pauses.ts'
import { JobRun } from './run.ts'
import type { RunnerDeps } from './runner-deps.ts'

const maxEnding = 64
/** Each may take minutes, so they run in parallel. */
const maxRemoving = 16

interface LostNodeJobsDeps extends RunnerDeps {
  readonly definitions: ReadonlyMap<string, JobDefinition>
}

/**
 * Jobs that need the disk of a lost node. They wait for it, and their log records it. When one is cancelled or reaches its
 * deadline, another node ends it, and its own node removes what it left there once that node is back.
 */
export class LostNodeJobs {
  readonly #deps: LostNodeJobsDeps
  readonly #running = new Map<string, { run: JobRun; ended: Promise<void> }>()
  #isChecking = false
  #isStopping = false
  /** Others may have ended jobs of this node: before it started, and whenever it could not renew its leases. */
  #wasLost = true
  readonly #pauses: RetryPauses

  constructor(deps: LostNodeJobsDeps) {
    this.#deps = deps
    this.#pauses = new RetryPauses(2 * deps.limits.renewMs)
  }

  /** Called periodically on every node. */
  async check(): Promise<void> {
    const { database, log } = this.#deps
    // SQLite has one node
    if (this.#isChecking || this.#isStopping || database.engine === 'sqlite') return
    this.#isChecking = true
    try {
      if (this.#wasLost || this.#pauses.due.length > 0) await this.#removeLeftovers()
      await this.#logWaiting()
      await this.#endSome()
    } catch (error) {
      log.warn({ err: error }, 'the jobs of lost nodes could not be checked')
    } finally {
      this.#isChecking = false
    }
  }

  /** This node could not renew its leases, so another may have ended its jobs. */
  nodeWasLost(): void {
    this.#wasLost = true
  }

  /** The current runs, whose leases have to be renewed. */
  get runs(): JobRun[] {
    return [...this.#running.values()].map(({ run }) => run)
  }

  /** Unfinished runs are continued by the next process of this node. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const run of this.runs) run.lease.detach('this process is shutting down')
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** In the background: another node must not wait for it. Retried until none is left. */
  async #removeLeftovers(): Promise<void> {
    const { database, claims, owner, nodeUuid, definitions, limits } = this.#deps
    const limit = maxRemoving - this.#running.size
    const { due, waiting } = this.#pauses
    const running = [...this.#running.keys(), ...waiting]
    const operations = [...definitions.keys()]
    if (limit <= 0 || operations.length === 0) return
    const claimant = { owner, nodeUuid, operations, running, leaseMs: limits.leaseMs, limit }
    const leasedAt = performance.now()
    const rows = await database.transaction((tx) => claims.claimLeftovers(tx, claimant))
    this.#wasLost = rows.length > 0
    // the others have ended or were deleted
    for (const uuid of due) if (rows.every((row) => row.uuid !== uuid)) this.#pauses.delete(uuid)
    for (const row of rows) void this.#run(row, leasedAt, (run) => run.removeLeftovers())
  }

  async #logWaiting(): Promise<void> {
    const { database, claims, logs, events, clock } = this.#deps
    await database.transaction(async (tx) => {
      const waiting = await claims.markWaitingForNode(tx)
      const since = await this.#lastHeartbeats(tx, waiting)
      for (const { uuid, managementNodeUuid } of waiting) {
        const line = `waiting for management node ${managementNodeUuid}, silent since ${since(managementNodeUuid)}`
        const sequence = (await logs.lastSequence(uuid, tx)) + 1
        logs.append(tx, [{ jobUuid: uuid, sequence, at: clock.now(), line, kind: null }])
        await events.record(tx, { type: 'Updated', resourceType: 'ApiJob', uuid, isRoutine: true })
      }
    })
  }

  async #endSome(): Promise<void> {
    const { database, claims, clock, owner, definitions, limits } = this.#deps
    const claimant = { owner, operations: [...definitions.keys()], leaseMs: limits.leaseMs, limit: maxEnding }
    if (definitions.size === 0) return
    const leasedAt = performance.now()
    const { rows, since } = await database.transaction(async (tx) => {
      const running = this.#pauses.waiting
      const rows = await claims.claimWaitingForNode(tx, { ...claimant, running, endingBefore: clock.now() })
      return { rows, since: await this.#lastHeartbeats(tx, rows) }
    })
    for (const row of rows) {
      const node = row.managementNodeUuid ?? ''
      await this.#run(row, leasedAt, (run) => run.endWithoutNode(node, since(node)))
    }
  }

  async #lastHeartbeats(tx: Tx, rows: readonly Pick<JobRow, 'managementNodeUuid'>[]) {
    const uuids = [...new Set(rows.flatMap(({ managementNodeUuid: node }) => (node === null ? [] : [node])))]
    const silent = uuids.length === 0 ? [] : await this.#deps.claims.lastHeartbeats(tx, uuids)
    const times = new Map(silent.map(({ uuid, lastOpDate }) => [uuid, new Date(lastOpDate).toISOString()]))
    return (nodeUuid: string | null): string => times.get(nodeUuid ?? '') ?? 'an unknown time'
  }

  #run(row: JobRow, leasedAt: number, work: (run: JobRun) => Promise<void>): Promise<void> {
    const { log, definitions } = this.#deps
    const definition = definitions.get(row.operation)
    if (definition === undefined || this.#isStopping) return Promise.resolve()
    const report = (error: unknown): void => {
      if (error instanceof Detached) this.#wasLost = true
      else if (this.#pauses.add(row.uuid))
        log.error({ err: error, job: row.uuid }, 'a job failed to finish; it is retried with growing pauses')
    }
    try {
      const run = new JobRun(this.#deps, definition, row, leasedAt)
      const ended = work(run)
        .then(() => this.#pauses.delete(row.uuid))
        .catch(report)
        .finally(() => this.#running.delete(row.uuid))
      this.#running.set(row.uuid, { run, ended })
      return ended
    } catch (error) {
      report(error)
      return Promise.resolve()
    }
  }
}
