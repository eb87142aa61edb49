import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/database-now.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import { inBatches } from '@wharf/database/in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'

export type DeliveryRow = Selectable<Tables['deliveries']>

/** A literal, not a parameter: only then do the engines use the index of waiting messages. */
const waiting = sql.lit('Waiting' as const)

interface Claim {
  owner: string
  dueBy: number
  leaseMs: number
  limit: number
}

/** Messages, and which process serves which endpoint. */
export class DeliveryStore {
  readonly #database: Database
  readonly #now

  constructor(database: Database) {
    this.#database = database
    this.#now = databaseNow(database.engine)
  }

  /** Until the commit, only this transaction assigns sequence numbers. */
  lock(tx: Tx): Promise<void> {
    return this.#database.lock(tx, 'deliveries')
  }

  async lastSequence(tx: Tx): Promise<number> {
    const found = await tx
      .selectFrom('deliveries')
      .select(({ fn }) => fn.max('sequence').as('sequence'))
      .executeTakeFirst()
    return found?.sequence ?? 0
  }

  insert(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
    return inBatches(rows, (batch) => tx.insertInto('deliveries').values(batch).execute())
  }

  find(uuid: string, from: Reader | Tx = this.#database.read): Promise<DeliveryRow | undefined> {
    return from.selectFrom('deliveries').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  /** The next message of an endpoint. */
  head(endpointUuid: string): Promise<DeliveryRow | undefined> {
    return this.#database.read
      .selectFrom('deliveries')
      .selectAll()
      .where('endpointUuid', '=', endpointUuid)
      .where('status', '=', waiting)
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst()
  }

  /** False when it is no longer waiting, or deleted. */
  async updateWaiting(tx: Tx, uuid: string, change: Partial<DeliveryRow>): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('deliveries')
      .set(change)
      .where('uuid', '=', uuid)
      .where('status', '=', waiting)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** False when it has not failed. */
  async updateFailed(tx: Tx, uuid: string, change: Partial<DeliveryRow>): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('deliveries')
      .set(change)
      .where('uuid', '=', uuid)
      .where('status', '=', 'Failed')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Messages of disabled endpoints that have waited too long. */
  overdue(now: number): Promise<Pick<DeliveryRow, 'uuid' | 'reason'>[]> {
    return this.#database.read
      .selectFrom('deliveries')
      .innerJoin('chatEndpoints', 'chatEndpoints.uuid', 'deliveries.endpointUuid')
      .select(['deliveries.uuid', 'deliveries.reason'])
      .where('deliveries.status', '=', waiting)
      .where('deliveries.giveUpDate', '<', now)
      .where('chatEndpoints.state', '=', 'Disabled')
      .execute()
  }

  /** The waiting and failed messages, for the metrics. */
  async backlog(): Promise<{ waiting: number; oldest: number | null; failed: number }> {
    const { read } = this.#database
    const found = await read
      .selectFrom('deliveries')
      .select([({ fn }) => fn.countAll<number>().as('waiting'), ({ fn }) => fn.min('createDate').as('oldest')])
      .where('status', '=', waiting)
      .executeTakeFirstOrThrow()
    const { failed } = await read
      .selectFrom('deliveries')
      .select(({ fn }) => fn.countAll<number>().as('failed'))
      .where('status', '=', sql.lit('Failed' as const))
      .executeTakeFirstOrThrow()
    return { ...found, failed }
  }

  deleteSettledBefore(tx: Tx, createDate: number, limit: number): Promise<number> {
    const settled = tx
      .selectFrom('deliveries')
      .select('uuid')
      .where('createDate', '<', createDate)
      .where('status', '!=', waiting)
      .limit(limit)
    return deleteByKey(tx, 'deliveries', 'uuid', settled)
  }

  /** Claims enabled endpoints whose next message is due and that no process serves. */
  claim(tx: Tx, { owner, dueBy, leaseMs, limit }: Claim): Promise<{ uuid: string }[]> {
    return (
      tx
        .updateTable('chatEndpoints')
        .set({ owner, leaseUntil: this.#in(leaseMs) })
        .where('uuid', 'in', (from) =>
          from
            .selectFrom('chatEndpoints')
            .select('uuid')
            .where('state', '=', 'Enabled')
            .where(({ or, eb }) => or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now)]))
            .where(({ eb, selectFrom }) =>
              eb(
                selectFrom('deliveries')
                  .select('nextAttemptDate')
                  .whereRef('deliveries.endpointUuid', '=', 'chatEndpoints.uuid')
                  .where('status', '=', waiting)
                  .orderBy('sequence')
                  .limit(1),
                '<=',
                dueBy,
              ),
            )
            .limit(limit),
        )
        // checked again on the row: another node may have claimed it meanwhile
        .where(({ or, eb }) => or([eb('owner', 'is', null), eb('leaseUntil', '<', this.#now)]))
        .returning('uuid')
        .execute()
    )
  }

  /** False when another process serves it. */
  async renew(tx: Tx, uuid: string, owner: string, leaseMs: number): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('chatEndpoints')
      .set({ leaseUntil: this.#in(leaseMs) })
      .where('uuid', '=', uuid)
      .where('owner', '=', owner)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async release(tx: Tx, uuid: string, owner: string): Promise<void> {
    await tx
      .updateTable('chatEndpoints')
      .set({ owner: null })
      .where('uuid', '=', uuid)
      .where('owner', '=', owner)
      .execute()
  }

  /** Releases the leases of an earlier process of this node, which has ended. */
  async releaseAllOf(tx: Tx, nodeUuid: string): Promise<void> {
    await tx.updateTable('chatEndpoints').set({ owner: null }).where('owner', 'like', `${nodeUuid}:%`).execute()
  }

  #in(ms: number) {
    return sql<number>`${this.#now} + ${sql.lit(ms)}`
  }
}
