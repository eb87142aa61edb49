import type { JobDefinition } from './definition.ts'
import type { RunParts } from './parts.ts'
import { Detached } from './record.ts'
import { JobRun } from './run.ts'
import type { JobRow } from './store.ts'

const maxEnding = 64

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
  #looking = false
  /** Others may have ended jobs of this node: before it started, and whenever it could not hold on to its leases. */
  #wasAway = true

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** By every node, now and then. */
  async look(): Promise<void> {
    const { database, log } = this.#parts
    // SQLite has one node
    if (this.#looking || database.engine === 'sqlite') return
    this.#looking = true
    try {
      if (this.#wasAway) await this.#tidyUp()
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

  async #tidyUp(): Promise<void> {
    const { database, store, owner, nodeUuid } = this.#parts
    const rows = await database.transaction((tx) => store.claimLeft(tx, owner, nodeUuid))
    this.#wasAway = false
    for (const row of rows) await this.#run(row, performance.now(), (run) => run.tidyUp())
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
      const rows = await store.claimStranded(tx, { ...claimant, endingBefore: clock.now() })
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

  async #run(row: JobRow, leasedAt: number, work: (run: JobRun) => Promise<void>): Promise<void> {
    const definition = this.#parts.definitions.get(row.operation)
    if (definition === undefined) return
    const { owner, log } = this.#parts
    try {
      await work(new JobRun(this.#parts, definition, row, { owner, leasedAt }))
    } catch (error) {
      if (!(error instanceof Detached)) log.error({ err: error, job: row.uuid }, 'a job could not be brought to an end')
    }
  }
}
