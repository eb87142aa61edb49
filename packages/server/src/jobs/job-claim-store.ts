import type { Database, Tx } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/database-now.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import { hasActiveState, hasEndState, type JobRow } from './job-row.ts'

/** What jobs need of the management nodes, whose resource is above this layer. */
export interface NodeQueries {
  /** A subquery: the uuids of the nodes whose heartbeats have stopped. */
  readonly lostNodes: SelectQueryBuilder<Tables, 'managementNodes', { uuid: string }>
  listHeartbeats(uuids: readonly string[], from: Tx): Promise<{ uuid: string; lastOpDate: number }[]>
}

/** In place of an owner: the job waits for the one node that can run it, and its log records that. */
const waitsForItsNode = 'waits-for-its-node'
/** In place of an owner: another node ended the job, and its own node has yet to remove what the job left there. */
export const leftOnItsNode = 'left-on-its-node'

/** Who claims jobs, and which. */
export interface Claimant {
  owner: string
  nodeUuid: string
  /** The operations that this version can run. */
  operations: readonly string[]
  /** Jobs to leave out: those that the claimant runs, and those that it retries later. */
  running: readonly string[]
  leaseMs: number
  limit: number
  /** Only jobs that just have to be ended: cancelled ones, and those whose deadline is before this date. */
  endingBefore?: number
}

interface JobClaimDeps {
  readonly database: Database
  readonly nodes: NodeQueries
}

/** Which process owns which job, and until when. Every new owner increments the fence of its job. */
export class JobClaimStore {
  readonly #deps: JobClaimDeps
  readonly #now

  constructor(deps: JobClaimDeps) {
    this.#deps = deps
    this.#now = databaseNow(deps.database.engine)
  }

  /** Claims jobs that have no owner, or whose owner has let its lease expire. */
  claim(tx: Tx, claimant: Claimant): Promise<JobRow[]> {
    const { nodeUuid, endingBefore } = claimant
    return (
      tx
        .with(
          // materialized: evaluated once, or PostgreSQL would lock other rows with each evaluation
          (free) => free('free').materialized(),
          () =>
            this.#candidates(tx, claimant)
              .where(hasActiveState)
              .where(({ or, eb }) => or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now)]))
              .where(({ or, eb }) =>
                or([eb('managementNodeUuid', 'is', null), eb('managementNodeUuid', '=', nodeUuid)]),
              )
              .$if(endingBefore !== undefined, (query) =>
                query.where(({ or, eb }) =>
                  or([eb('cancelRequested', '=', 1), eb('deadline', '<', endingBefore ?? 0)]),
                ),
              )
              // the plus keeps both engines from scanning all jobs by date: active jobs are few
              .orderBy(sql`+"createDate"`)
              // an interrupted transaction must not block all others
              .$if(this.#deps.database.engine === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('jobs')
        .set(this.#newOwner(claimant))
        .set({ state: sql<JobRow['state']>`case when "state" = 'Waiting' then 'Running' else "state" end` })
        .where('uuid', 'in', (from) => from.selectFrom('free').select('uuid'))
        // checked again on the row itself: another node may have claimed it since
        .where(({ or, eb }) => or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now)]))
        .where(hasActiveState)
        .returningAll()
        .execute()
    )
  }

  /** Renews the leases that this owner still has on these jobs, and returns them. A finished job has no owner. */
  renew(
    tx: Tx,
    owner: string,
    uuids: readonly string[],
    leaseMs: number,
  ): Promise<Pick<JobRow, 'uuid' | 'fence' | 'cancelRequested'>[]> {
    return tx
      .updateTable('jobs')
      .set({ leaseUntil: this.#leaseUntil(leaseMs) })
      .where('uuid', 'in', (from) =>
        from
          .selectFrom('jobs')
          .select('uuid')
          .where('uuid', 'in', uuids)
          .where('owner', '=', owner)
          // in the order of `JobStore.lock`
          .orderBy('uuid')
          .$if(this.#deps.database.engine === 'postgres', (query) => query.forNoKeyUpdate()),
      )
      .where('owner', '=', owner)
      .returning(['uuid', 'fence', 'cancelRequested'])
      .execute()
  }

  /** Releases what an earlier process of this node owned: that process has ended, its leases need not expire. */
  async releaseOwned(tx: Tx, nodeUuid: string): Promise<void> {
    await tx
      .updateTable('jobs')
      .set({ owner: null })
      .where('owner', 'like', `${nodeUuid}:%`)
      .where(hasActiveState)
      .execute()
  }

  /** Marks jobs that only a lost node can run, and returns those that were not marked before. */
  markWaitingForNode(tx: Tx): Promise<Pick<JobRow, 'uuid' | 'managementNodeUuid'>[]> {
    return tx
      .updateTable('jobs')
      .set({ owner: waitsForItsNode })
      .where(hasActiveState)
      .where(({ or, eb }) =>
        or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now).and('owner', '!=', waitsForItsNode)]),
      )
      .where('managementNodeUuid', 'in', this.#deps.nodes.lostNodes)
      .returning(['uuid', 'managementNodeUuid'])
      .execute()
  }

  /** Claims jobs that wait for a lost node and have to end now: cancelled ones, and those past their deadline. */
  claimWaitingForNode(tx: Tx, claimant: Omit<Claimant, 'nodeUuid'> & { endingBefore: number }): Promise<JobRow[]> {
    const jobs = this.#candidates(tx, claimant)
      .where(hasActiveState)
      .where('owner', '=', waitsForItsNode)
      .where(({ or, eb }) => or([eb('cancelRequested', '=', 1), eb('deadline', '<', claimant.endingBefore)]))
      .where('managementNodeUuid', 'in', this.#deps.nodes.lostNodes)
    return tx
      .updateTable('jobs')
      .set(this.#newOwner(claimant))
      .where('uuid', 'in', jobs)
      .where('owner', '=', waitsForItsNode)
      .returningAll()
      .execute()
  }

  /**
   * Claims jobs of this node that other nodes ended and that left something here, including those whose removal was
   * interrupted, in an earlier process or in this one.
   */
  claimLeftovers(tx: Tx, claimant: Omit<Claimant, 'endingBefore'>): Promise<JobRow[]> {
    const { nodeUuid } = claimant
    const jobs = this.#candidates(tx, claimant)
      .where('managementNodeUuid', '=', nodeUuid)
      .where(hasEndState)
      .where(({ or, eb }) => or([eb('owner', '=', leftOnItsNode), eb('owner', 'like', `${nodeUuid}:%`)]))
    return tx.updateTable('jobs').set(this.#newOwner(claimant)).where('uuid', 'in', jobs).returningAll().execute()
  }

  lastHeartbeats(tx: Tx, nodeUuids: readonly string[]): Promise<{ uuid: string; lastOpDate: number }[]> {
    return this.#deps.nodes.listHeartbeats(nodeUuids, tx)
  }

  #candidates(tx: Tx, { operations, running, limit }: Pick<Claimant, 'operations' | 'running' | 'limit'>) {
    return tx
      .selectFrom('jobs')
      .select('uuid')
      .where('operation', 'in', operations)
      .$if(running.length > 0, (query) => query.where('uuid', 'not in', running))
      .limit(limit)
  }

  #newOwner({ owner, leaseMs }: Pick<Claimant, 'owner' | 'leaseMs'>) {
    return { owner, fence: sql<number>`"fence" + 1`, leaseUntil: this.#leaseUntil(leaseMs) }
  }

  #leaseUntil(leaseMs: number) {
    return sql<number>`${this.#now} + ${sql.lit(leaseMs)}`
  }
}
