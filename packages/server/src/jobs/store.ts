import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Database, Engine, Reader, Tx } from '@wharf/database/database.ts'
import { databaseNowText } from '@wharf/database/database-now.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import { CompiledQuery, sql } from 'kysely'
import { hasActiveState, hasEndState, type JobRow } from './job-row.ts'
import type { NewJobRow } from './new-job-row.ts'

export type ActiveJob = Pick<JobRow, 'uuid' | 'operation' | 'summary' | 'state' | 'userUuid'>

/** Older databases may contain many more than are kept; each call removes at most this many of them. */
const removedAtOnce = 100

export class JobStore {
  readonly #database: Database
  #insertion: ReturnType<typeof insertionOf> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  find(uuid: string, reader: Reader | Tx = this.#database.read): Promise<JobRow | undefined> {
    return reader.selectFrom('jobs').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  findAll(uuids: readonly string[]): Promise<JobRow[]> {
    return this.#database.read.selectFrom('jobs').selectAll().where(this.#hasUuidIn(uuids)).execute()
  }

  /** False when the uuid is taken or the subject is busy. */
  async insert(tx: Tx, row: NewJobRow, leaseMs: number): Promise<boolean> {
    // every new row has the same columns; the query builder would take longer than the statement
    this.#insertion ??= insertionOf(this.#database.engine, Object.keys(row) as (keyof NewJobRow)[])
    const { columns, text } = this.#insertion
    const values = columns.map((name) => row[name])
    const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(text, [...values, leaseMs]))
    return numAffectedRows === 1n
  }

  findActive(subjectUuid: string, from: Reader | Tx = this.#database.read): Promise<ActiveJob | undefined> {
    return from
      .selectFrom('jobs')
      .select(['uuid', 'operation', 'summary', 'state', 'userUuid'])
      .where('subjectUuid', '=', subjectUuid)
      .where(hasActiveState)
      .executeTakeFirst()
  }

  listActive(
    from: Reader | Tx = this.#database.read,
  ): Promise<{ uuid: string; operation: string; subjectUuid: string | null }[]> {
    return from.selectFrom('jobs').select(['uuid', 'operation', 'subjectUuid']).where(hasActiveState).execute()
  }

  /** Until the commit, in the order in which leases are renewed, so that neither blocks the other. */
  async lock(tx: Tx, uuids: readonly string[]): Promise<void> {
    if (this.#database.engine === 'sqlite') return
    await tx.selectFrom('jobs').select('uuid').where(this.#hasUuidIn(uuids)).orderBy('uuid').forNoKeyUpdate().execute()
  }

  /** By job: what its steps have changed of its subject, for the audit entry of its end. Only its owner writes it. */
  async subjectChanges(tx: Tx, uuids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await tx.selectFrom('jobs').select(['uuid', 'auditChanges']).where(this.#hasUuidIn(uuids)).execute()
    return new Map(rows.map(({ uuid, auditChanges }) => [uuid, auditChanges]))
  }

  async storeSubjectChanges(tx: Tx, uuid: string, auditChanges: string): Promise<void> {
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
          .where(hasEndState)
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
      .where(hasEndState)
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
    return countUpTo(tx, limit, tx.selectFrom('jobs').where('userUuid', '=', userUuid).where(hasActiveState))
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
      .where(hasActiveState)
      .groupBy('state')
      .execute()
  }

  /** One value however many they are: both engines and the query builder take long for a list of values. */
  #hasUuidIn(uuids: readonly string[]) {
    return this.#database.engine === 'sqlite'
      ? sql<boolean>`"uuid" in (select "value" from json_each(${JSON.stringify(uuids)}))`
      : sql<boolean>`"uuid" = any(${uuids})`
  }
}

function insertionOf(engine: Engine, columns: readonly (keyof NewJobRow)[]) {
  const marks = [...columns, 'leaseMs'].map((_, index) => (engine === 'sqlite' ? '?' : `$${index + 1}`))
  const leaseMs = engine === 'sqlite' ? marks.pop() : `${marks.pop()}::bigint`
  const text = `insert into "jobs" ("${columns.join('", "')}", "leaseUntil")
    values (${marks.join(', ')}, ${databaseNowText[engine]} + ${leaseMs}) on conflict do nothing`
  return { columns, text }
}
