import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/now-sql.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import { activeStates, type JobRow } from './job-row.ts'
import type { LogLine } from './log-buffer.ts'

/** What jobs need of the management nodes, whose resource is above this layer. */
export interface NodeQueries {
  /** A subquery: the uuids of the nodes whose heartbeats have stopped. */
  readonly lostNodes: SelectQueryBuilder<Tables, 'managementNodes', { uuid: string }>
  listHeartbeats(tx: Tx, uuids: readonly string[]): Promise<{ uuid: string; lastOpDate: number }[]>
}

export type ActiveJob = Pick<JobRow, 'uuid' | 'operation' | 'state' | 'userUuid'>

/** Written out, not bound: only so does SQLite see that the index of active jobs serves, however many have ended. */
const active = activeStates.map((state) => sql.lit(state))

/** In place of an owner. The job waits for the one node that can do it, and its log says so. */
const waitsForItsNode = 'waits-for-its-node'
/** It was ended by another node, and its own has yet to remove what it left there. */
export const leftOnItsNode = 'left-on-its-node'

/** Who asks for jobs, and for which. */
export interface Claimant {
  owner: string
  nodeUuid: string
  /** What it knows how to run. */
  operations: readonly string[]
  /** What it runs already: those it would take from itself. */
  running: readonly string[]
  leaseMs: number
  limit: number
  /** A cancelled job, or one whose deadline is before this date, needs no room: all that is left is to end it. */
  endingBefore?: number
}

/** Well under the number of parameters that either engine allows in a statement. */
const linesPerInsert = 1000
/** Older databases may have many more than are kept; each call removes so many of them. */
const removedAtOnce = 100

export class JobStore {
  readonly #database: Database
  readonly #nodes: NodeQueries
  readonly #now

  constructor(database: Database, nodes: NodeQueries) {
    this.#database = database
    this.#nodes = nodes
    this.#now = databaseNow(database.engine)
  }

  find(uuid: string, reader: Reader | Tx = this.#database.read): Promise<JobRow | undefined> {
    return reader.selectFrom('jobs').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  /** False when the uuid is taken or the subject is busy. */
  async insert(tx: Tx, row: Omit<JobRow, 'leaseUntil'>, leaseMs: number): Promise<boolean> {
    const inserted = await tx
      .insertInto('jobs')
      .values({ ...row, leaseUntil: sql<number>`${this.#now} + ${sql.lit(leaseMs)}` })
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return inserted !== undefined
  }

  findActiveBySubject(subjectUuid: string, from: Reader | Tx = this.#database.read): Promise<ActiveJob | undefined> {
    return from
      .selectFrom('jobs')
      .select(['uuid', 'operation', 'state', 'userUuid'])
      .where('subjectUuid', '=', subjectUuid)
      .where('state', 'in', active)
      .executeTakeFirst()
  }

  /** Takes jobs that nobody owns, or whose owner has let its lease run out. The fence counts up. */
  claim(tx: Tx, { owner, nodeUuid, operations, running, leaseMs, limit, endingBefore }: Claimant): Promise<JobRow[]> {
    return (
      tx
        .with(
          // materialized: looked for once, or PostgreSQL would lock other rows each time it looks
          (free) => free('free').materialized(),
          (from) =>
            from
              .selectFrom('jobs')
              .select('uuid')
              .where('state', 'in', active)
              .where(({ or, eb }) => or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now)]))
              .where(({ or, eb }) =>
                or([eb('managementNodeUuid', 'is', null), eb('managementNodeUuid', '=', nodeUuid)]),
              )
              .where('operation', 'in', operations)
              .$if(running.length > 0, (query) => query.where('uuid', 'not in', running))
              .$if(endingBefore !== undefined, (query) =>
                query.where(({ or, eb }) =>
                  or([eb('cancelRequested', '=', 1), eb('deadline', '<', endingBefore ?? 0)]),
                ),
              )
              // the plus keeps both engines from walking all jobs by date: those that are active are few
              .orderBy(sql`+"createDate"`)
              .limit(limit)
              // a transaction that was cut off in its middle must not hold up all others
              .$if(this.#database.engine === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('jobs')
        .set((set) => ({
          owner,
          fence: set('fence', '+', 1),
          leaseUntil: sql<number>`${this.#now} + ${sql.lit(leaseMs)}`,
          state: sql<JobRow['state']>`case when "state" = 'Waiting' then 'Running' else "state" end`,
        }))
        .where('uuid', 'in', (from) => from.selectFrom('free').select('uuid'))
        // again on the row itself: another node may have taken it since the list was made
        .where(({ or, eb }) => or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now)]))
        .where('state', 'in', active)
        .returningAll()
        .execute()
    )
  }

  /** Jobs that only a node can do which is gone: they wait for it from now on. Each is told of once. */
  strand(tx: Tx): Promise<Pick<JobRow, 'uuid' | 'managementNodeUuid'>[]> {
    return tx
      .updateTable('jobs')
      .set({ owner: waitsForItsNode })
      .where('state', 'in', activeStates)
      .where(({ or, eb }) =>
        or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now).and('owner', '!=', waitsForItsNode)]),
      )
      .where('managementNodeUuid', 'in', this.#nodes.lostNodes)
      .returning(['uuid', 'managementNodeUuid'])
      .execute()
  }

  /** Of those that wait so, the ones that are to end all the same. */
  claimStranded(tx: Tx, claimant: Omit<Claimant, 'nodeUuid'> & { endingBefore: number }) {
    const { owner, operations, running, leaseMs, limit, endingBefore } = claimant
    return tx
      .updateTable('jobs')
      .set((set) => ({
        owner,
        fence: set('fence', '+', 1),
        leaseUntil: sql<number>`${this.#now} + ${sql.lit(leaseMs)}`,
      }))
      .where('uuid', 'in', (from) =>
        from
          .selectFrom('jobs')
          .select('uuid')
          .where('state', 'in', activeStates)
          .where('owner', '=', waitsForItsNode)
          .where(({ or, eb }) => or([eb('cancelRequested', '=', 1), eb('deadline', '<', endingBefore)]))
          .where('operation', 'in', operations)
          .$if(running.length > 0, (query) => query.where('uuid', 'not in', running))
          .where('managementNodeUuid', 'in', this.#nodes.lostNodes)
          .limit(limit),
      )
      .where('owner', '=', waitsForItsNode)
      .returningAll()
      .execute()
  }

  /** Since when these nodes are silent. */
  silence(tx: Tx, nodeUuids: readonly string[]): Promise<{ uuid: string; lastOpDate: number }[]> {
    return this.#nodes.listHeartbeats(tx, nodeUuids)
  }

  /**
   * Jobs of this node that others have ended, and that left something here; also those whose tidying-up was cut short, by
   * an earlier process or in this one.
   */
  claimLeft(tx: Tx, claimant: Omit<Claimant, 'endingBefore'>): Promise<JobRow[]> {
    const { owner, nodeUuid, operations, running, leaseMs, limit } = claimant
    return tx
      .updateTable('jobs')
      .set((set) => ({
        owner,
        fence: set('fence', '+', 1),
        leaseUntil: sql<number>`${this.#now} + ${sql.lit(leaseMs)}`,
      }))
      .where('uuid', 'in', (from) =>
        from
          .selectFrom('jobs')
          .select('uuid')
          .where('managementNodeUuid', '=', nodeUuid)
          .where('state', 'not in', activeStates)
          .where(({ or, eb }) => or([eb('owner', '=', leftOnItsNode), eb('owner', 'like', `${nodeUuid}:%`)]))
          .where('operation', 'in', operations)
          .$if(running.length > 0, (query) => query.where('uuid', 'not in', running))
          .limit(limit),
      )
      .returningAll()
      .execute()
  }

  /** What an earlier process of this node left behind: that process is gone, its leases need not run out. */
  async abandonOwned(tx: Tx, nodeUuid: string): Promise<void> {
    await tx
      .updateTable('jobs')
      .set({ owner: null })
      .where('owner', 'like', `${nodeUuid}:%`)
      .where('state', 'in', active)
      .execute()
  }

  /** Renews the leases of these jobs, those that the owner still has, and returns them. One that has ended has no owner. */
  renew(
    tx: Tx,
    owner: string,
    uuids: readonly string[],
    leaseMs: number,
  ): Promise<Pick<JobRow, 'uuid' | 'fence' | 'cancelRequested'>[]> {
    return tx
      .updateTable('jobs')
      .set({ leaseUntil: sql<number>`${this.#now} + ${sql.lit(leaseMs)}` })
      .where('uuid', 'in', uuids)
      .where('owner', '=', owner)
      .returning(['uuid', 'fence', 'cancelRequested'])
      .execute()
  }

  /** Changes a job that this owner still holds; false when it does not. Locks the row until the commit. */
  async updateOwned(
    tx: Tx,
    held: { uuid: string; owner: string; fence: number },
    change: Partial<JobRow>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set(change)
      .where('uuid', '=', held.uuid)
      .where('owner', '=', held.owner)
      .where('fence', '=', held.fence)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** False when it is no longer what it was, or its user is gone. */
  async replaceOutcome(
    tx: Tx,
    { uuid, userUuid, sealedOutcome }: Pick<JobRow, 'uuid' | 'userUuid' | 'sealedOutcome'>,
    to: Buffer,
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({ sealedOutcome: to })
      .where('uuid', '=', uuid)
      .where('sealedOutcome', '=', sealedOutcome)
      .where(({ exists, selectFrom }) => exists(selectFrom('users').select('uuid').where('users.uuid', '=', userUuid)))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** False when it has ended, or is being undone already. */
  async requestCancel(tx: Tx, uuid: string): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({ cancelRequested: 1 })
      .where('uuid', '=', uuid)
      .where('state', 'in', ['Waiting', 'Running'])
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async lastLogSequence(uuid: string, from: Reader | Tx = this.#database.read): Promise<number> {
    const row = await from
      .selectFrom('jobLogs')
      .select(({ fn }) => fn.max('sequence').as('sequence'))
      .where('jobUuid', '=', uuid)
      .executeTakeFirst()
    return row?.sequence ?? 0
  }

  async appendLog(tx: Tx, jobUuid: string, lines: readonly LogLine[]): Promise<void> {
    for (let from = 0; from < lines.length; from += linesPerInsert)
      await tx
        .insertInto('jobLogs')
        .values(lines.slice(from, from + linesPerInsert).map((line) => ({ jobUuid, ...line })))
        // they are there already when the commit went through and only its answer was lost
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  }

  readLog(uuid: string, after: number, limit: number): Promise<Tables['jobLogs'][]> {
    return this.#database.read
      .selectFrom('jobLogs')
      .selectAll()
      .where('jobUuid', '=', uuid)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .execute()
  }

  /** Log lines first: of one job there may be very many. */
  async removeFinishedBefore(tx: Tx, date: number, limit: number): Promise<number> {
    const old = tx
      .selectFrom('jobs')
      .select('uuid')
      .where('lastOpDate', '<', date)
      .where('state', 'not in', activeStates)
      .orderBy('lastOpDate')
      .orderBy('uuid')
      .limit(limit)
    const lines = await tx
      .deleteFrom('jobLogs')
      .where(({ eb, refTuple }) =>
        eb(
          refTuple('jobUuid', 'sequence'),
          'in',
          tx
            .selectFrom('jobLogs')
            .select(['jobUuid', 'sequence'])
            .where('jobUuid', 'in', old)
            .limit(limit)
            .$asTuple('jobUuid', 'sequence'),
        ),
      )
      .executeTakeFirst()
    if (Number(lines.numDeletedRows) >= limit) return limit
    const { numDeletedRows } = await tx.deleteFrom('jobs').where('uuid', 'in', old).executeTakeFirst()
    return Number(numDeletedRows)
  }

  countActiveOf(tx: Tx, userUuid: string, limit: number): Promise<number> {
    return countUpTo(tx, limit, tx.selectFrom('jobs').where('userUuid', '=', userUuid).where('state', 'in', active))
  }

  /** Of the refused calls of a user, all but the newest. They alone end at the moment that they began. */
  async removeRefused(tx: Tx, userUuid: string, kept: number): Promise<void> {
    await tx
      .deleteFrom('jobs')
      .where('uuid', 'in', (from) =>
        from
          .selectFrom('jobs')
          .select('uuid')
          .where('userUuid', '=', userUuid)
          .where('state', '=', sql.lit('Failed' as const))
          .whereRef('deadline', '=', 'createDate')
          .orderBy('createDate', 'desc')
          .orderBy('uuid', 'desc')
          .limit(removedAtOnce)
          .offset(kept),
      )
      .execute()
  }

  /** Active jobs by state, and since when the oldest of them is there, for the metrics. */
  countActive(): Promise<{ state: JobRow['state']; count: number; oldest: number }[]> {
    return this.#database.read
      .selectFrom('jobs')
      .select(['state', ({ fn }) => fn.countAll<number>().as('count'), ({ fn }) => fn.min('createDate').as('oldest')])
      .where('state', 'in', active)
      .groupBy('state')
      .execute()
  }
}
