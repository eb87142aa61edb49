import type { JobDefinition } from './definition.ts'
import type { JobRow } from './job-row.ts'
import type { RunParts } from './parts.ts'
import { Detached } from './record.ts'
import { RetryPauses } from './retry-pauses.ts'
import { JobRun } from './run.ts'

const maxEnding = 64
/** Each may take minutes, so they run beside each other. */
const maxTidying = 16

interface Parts extends RunParts {
  readonly owner: string
  readonly nodeUuid: string
  readonly definitions: ReadonlyMap<string, JobDefinition>
}

/**
 * Jobs that need the disk of a node which is gone. They wait for it, and say so; whoever cancels one, or has let its time
 * run out, is not kept waiting: then another node ends it, and what it left is removed by its own node when that is back.
 */
export class StrandedJobs {
  readonly #parts: Parts
  readonly #running = new Map<string, { run: JobRun; ended: Promise<void> }>()
  #looking = false
  #stopping = false
  /** Others may have ended jobs of this node: before it started, and whenever it could not hold on to its leases. */
  #wasAway = true
  readonly #pauses: RetryPauses

  constructor(parts: Parts) {
    this.#parts = parts
    this.#pauses = new RetryPauses(2 * parts.limits.renewMs)
  }

  /** By every node, now and then. */
  async look(): Promise<void> {
    const { database, log } = this.#parts
    // SQLite has one node
    if (this.#looking || this.#stopping || database.engine === 'sqlite') return
    this.#looking = true
    try {
      if (this.#wasAway || this.#pauses.due.length > 0) await this.#tidyUp()
      await this.#tellOfNew()
      await this.#endSome()
    } catch (error) {
      log.warn({ err: error }, 'the jobs of dead nodes could not be looked after')
    } finally {
      this.#looking = false
    }
  }

  /** This node has lost its leases. */
  wasAway(): void {
    this.#wasAway = true
  }

  /** Those that are at work, whose leases are to be renewed. */
  get runs(): JobRun[] {
    return [...this.#running.values()].map(({ run }) => run)
  }

  /** What is not done by then is taken up by the next process of this node. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const run of this.runs) run.hold.giveUp('this process is shutting down')
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** In the background: another node must not wait for it. Tried again until none is left. */
  async #tidyUp(): Promise<void> {
    const { database, store, owner, nodeUuid, definitions, limits } = this.#parts
    const limit = maxTidying - this.#running.size
    const { due, waiting } = this.#pauses
    const running = [...this.#running.keys(), ...waiting]
    const operations = [...definitions.keys()]
    if (limit <= 0 || operations.length === 0) return
    const claimant = { owner, nodeUuid, operations, running, leaseMs: limits.leaseMs, limit }
    const leasedAt = performance.now()
    const rows = await database.transaction((tx) => store.claimLeft(tx, claimant))
    this.#wasAway = rows.length > 0
    // ended or deleted meanwhile
    for (const uuid of due) if (rows.every((row) => row.uuid !== uuid)) this.#pauses.delete(uuid)
    for (const row of rows) void this.#run(row, leasedAt, (run) => run.tidyUp())
  }

  async #tellOfNew(): Promise<void> {
    const { database, store, events, clock } = this.#parts
    await database.transaction(async (tx) => {
      const stranded = await store.strand(tx)
      const since = await this.#silences(tx, stranded)
      for (const { uuid, managementNodeUuid } of stranded) {
        const line = `waiting for management node ${managementNodeUuid}, silent since ${since(managementNodeUuid)}`
        const sequence = (await store.lastLogSequence(uuid, tx)) + 1
        await store.appendLog(tx, uuid, [{ sequence, at: clock.now(), line }])
        await events.record(tx, { type: 'Updated', resourceType: 'ApiJob', uuid })
      }
    })
  }

  async #endSome(): Promise<void> {
    const { database, store, clock, owner, definitions, limits } = this.#parts
    const claimant = { owner, operations: [...definitions.keys()], leaseMs: limits.leaseMs, limit: maxEnding }
    if (definitions.size === 0) return
    const leasedAt = performance.now()
    const { rows, since } = await database.transaction(async (tx) => {
      const running = this.#pauses.waiting
      const rows = await store.claimStranded(tx, { ...claimant, running, endingBefore: clock.now() })
      return { rows, since: await this.#silences(tx, rows) }
    })
    for (const row of rows) {
      const node = row.managementNodeUuid ?? ''
      await this.#run(row, leasedAt, (run) => run.endWithoutItsNode(node, since(node)))
    }
  }

  async #silences(
    tx: Parameters<RunParts['store']['silence']>[0],
    rows: readonly Pick<JobRow, 'managementNodeUuid'>[],
  ) {
    const uuids = [...new Set(rows.flatMap(({ managementNodeUuid: node }) => (node === null ? [] : [node])))]
    const silent = uuids.length === 0 ? [] : await this.#parts.store.silence(tx, uuids)
    const times = new Map(silent.map(({ uuid, lastOpDate }) => [uuid, new Date(lastOpDate).toISOString()]))
    return (nodeUuid: string | null): string => times.get(nodeUuid ?? '') ?? 'an unknown time'
  }

  #run(row: JobRow, leasedAt: number, work: (run: JobRun) => Promise<void>): Promise<void> {
    const { owner, log, definitions } = this.#parts
    const definition = definitions.get(row.operation)
    if (definition === undefined || this.#stopping) return Promise.resolve()
    const report = (error: unknown): void => {
      if (error instanceof Detached) this.#wasAway = true
      else if (this.#pauses.add(row.uuid))
        log.error(
          { err: error, job: row.uuid },
          'a job could not be brought to an end; it is tried again, ever less often',
        )
    }
    try {
      const run = new JobRun(this.#parts, definition, row, { owner, leasedAt })
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
