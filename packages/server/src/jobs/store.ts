import { activeJobStates } from '@wharf/contract'
import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/database-now.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import { sql } from 'kysely'
import { active, ended, type JobRow } from './job-row.ts'

export type ActiveJob = Pick<JobRow, 'uuid' | 'operation' | 'summary' | 'state' | 'userUuid'>

/** Older databases may contain many more than are kept; each call removes at most this many of them. */
const removedAtOnce = 100

export class JobStore {
  readonly #database: Database
  readonly #now

  constructor(database: Database) {
    this.#database = database
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

  findActive(subjectUuid: string, from: Reader | Tx = this.#database.read): Promise<ActiveJob | undefined> {
    return from
      .selectFrom('jobs')
      .select(['uuid', 'operation', 'summary', 'state', 'userUuid'])
      .where('subjectUuid', '=', subjectUuid)
      .where('state', 'in', active)
      .executeTakeFirst()
  }

  listActive(
    from: Reader | Tx = this.#database.read,
  ): Promise<{ uuid: string; operation: string; subjectUuid: string | null }[]> {
    return from.selectFrom('jobs').select(['uuid', 'operation', 'subjectUuid']).where('state', 'in', active).execute()
  }

  /** Changes a job that this owner still has; false when it has not. Locks the row until the commit. */
  async updateOwned(
    tx: Tx,
    owned: { uuid: string; owner: string; fence: number },
    change: Partial<JobRow>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set(change)
      .where('uuid', '=', owned.uuid)
      .where('owner', '=', owned.owner)
      .where('fence', '=', owned.fence)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** What its steps have changed of its subject, for the audit entry of its end. */
  async readHeldChanges(tx: Tx, uuid: string): Promise<string | null> {
    return (
      (await tx.selectFrom('jobs').select('auditChanges').where('uuid', '=', uuid).executeTakeFirst())?.auditChanges ??
      null
    )
  }

  async holdChanges(tx: Tx, uuid: string, auditChanges: string): Promise<void> {
    await tx.updateTable('jobs').set({ auditChanges }).where('uuid', '=', uuid).execute()
  }

  /** False when it was replaced before. */
  async replaceResult(
    tx: Tx,
    { uuid, sealedOutcome }: Pick<JobRow, 'uuid' | 'sealedOutcome'>,
    to: Buffer,
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({ sealedOutcome: to })
      .where('uuid', '=', uuid)
      .where('sealedOutcome', '=', sealedOutcome)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Removes the stored call; false when it has none. Locks the row until the commit. */
  async takeCall(tx: Tx, uuid: string): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({ sealedCall: null })
      .where('uuid', '=', uuid)
      .where('sealedCall', 'is not', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** The stored calls of jobs that ended before, and of those that succeeded on a node of an older version. */
  async removeCallsBefore(tx: Tx, date: number, limit: number): Promise<number> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({ sealedCall: null })
      .where('uuid', 'in', (from) =>
        from
          .selectFrom('jobs')
          .select('uuid')
          .where('sealedCall', 'is not', null)
          .where('state', 'in', ended)
          .where(({ or, eb }) => or([eb('lastOpDate', '<', date), eb('state', '=', 'Succeeded')]))
          .limit(limit),
      )
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  /** False when the job has ended or is already being undone. */
  async requestCancel(tx: Tx, uuid: string): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({ cancelRequested: 1 })
      .where('uuid', '=', uuid)
      .where('state', 'in', ['Waiting', 'Running'])
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Log lines first: one job may have very many. Returns how many rows it has removed, and how many of them were jobs. */
  async removeFinishedBefore(tx: Tx, date: number, limit: number): Promise<{ rows: number; jobs: number }> {
    const old = tx
      .selectFrom('jobs')
      .select('uuid')
      .where('lastOpDate', '<', date)
      .where('state', 'not in', activeJobStates)
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
    if (Number(lines.numDeletedRows) >= limit) return { rows: limit, jobs: 0 }
    const jobs = await deleteByKey(tx, 'jobs', 'uuid', old)
    return { rows: jobs, jobs }
  }

  countActiveOf(tx: Tx, userUuid: string, limit: number): Promise<number> {
    return countUpTo(tx, limit, tx.selectFrom('jobs').where('userUuid', '=', userUuid).where('state', 'in', active))
  }

  /** Removes all but the newest refused calls of a user: only their deadline is the time of their creation. */
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

  /** Active jobs by state, and when the oldest of them was created, for the metrics. */
  countActive(): Promise<{ state: JobRow['state']; count: number; oldest: number }[]> {
    return this.#database.read
      .selectFrom('jobs')
      .select(['state', ({ fn }) => fn.countAll<number>().as('count'), ({ fn }) => fn.min('createDate').as('oldest')])
      .where('state', 'in', active)
      .groupBy('state')
      .execute()
  }
}
