import type { Role } from '@wharf/contract'
import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'
import { selectRole, selectScope } from '../identity/accounts/service.ts'
import { lostNodes } from '../management-nodes/service.ts'
import { maxUploadMs } from './limits.ts'

export type UploadRow = Selectable<Tables['uploads']>

type Change = Partial<
  Pick<UploadRow, 'size' | 'md5' | 'sha256' | 'state' | 'uncheckedFrom' | 'expiryDate' | 'lastOpDate'>
>

export class UploadStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async insert(tx: Tx, row: UploadRow): Promise<void> {
    await tx.insertInto('uploads').values(row).execute()
  }

  find(id: string, from?: Tx): Promise<UploadRow | undefined> {
    return (from ?? this.#database.read).selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** With the current role and scope of the user who opened it; null when that user does not exist. */
  findWithRole(id: string): Promise<(UploadRow & { role: Role | null; userScope: string | null }) | undefined> {
    return this.#database.read
      .selectFrom('uploads')
      .selectAll()
      .select(selectRole('userUuid').as('role'))
      .select(selectScope('userUuid').as('userScope'))
      .where('id', '=', id)
      .executeTakeFirst()
  }

  listOpenByUser(tx: Tx, userUuid: string): Promise<Pick<UploadRow, 'id' | 'packageUuid'>[]> {
    return tx
      .selectFrom('uploads')
      .select(['id', 'packageUuid'])
      .where('userUuid', '=', userUuid)
      .where('state', '=', 'Open')
      .execute()
  }

  /** The newest first. */
  listResumable(tx: Tx, userUuid: string, resumeKey: string, now: number): Promise<UploadRow[]> {
    return tx
      .selectFrom('uploads')
      .selectAll()
      .where('userUuid', '=', userUuid)
      .where('resumeKey', '=', resumeKey)
      .where('state', '=', 'Open')
      .where('expiryDate', '>', now)
      .where('createDate', '>', now - maxUploadMs)
      .orderBy('createDate', 'desc')
      .orderBy('id')
      .execute()
  }

  listOpenOfPackages(packageUuids: readonly string[]): Promise<UploadRow[]> {
    return this.#database.read
      .selectFrom('uploads')
      .selectAll()
      .where('packageUuid', 'in', packageUuids)
      .where('state', '=', 'Open')
      .execute()
  }

  /** False when it is no longer open, or expires after `ifExpiredBy`; then nothing changes. */
  async updateOpen(tx: Tx, id: string, change: Change, ifExpiredBy?: number): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('uploads')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'Open')
      .$if(ifExpiredBy !== undefined, (update) => update.where('expiryDate', '<=', ifExpiredBy ?? 0))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Ends the uploads of a package; returns the ids of those that had not ended yet. */
  endOfPackage(tx: Tx, packageUuid: string, now: number): Promise<{ id: string }[]> {
    return tx
      .updateTable('uploads')
      .set({ state: 'Ended', lastOpDate: now })
      .where('packageUuid', '=', packageUuid)
      .where('state', '<>', 'Ended')
      .returning('id')
      .execute()
  }

  /** Expired, too old or of a deleted user; of this node, which knows whether a slice is arriving, and of lost nodes. */
  listExpired(nodeUuid: string, now: number): Promise<UploadRow[]> {
    return this.#database.read
      .selectFrom('uploads')
      .selectAll()
      .where('state', '=', 'Open')
      .where(({ or, eb }) =>
        or([
          eb('expiryDate', '<=', now),
          eb('createDate', '<=', now - maxUploadMs),
          eb(selectRole('userUuid'), 'is', null),
        ]),
      )
      .where(({ or, eb }) => or([eb('managementNodeUuid', '=', nodeUuid), eb('managementNodeUuid', 'in', lostNodes)]))
      .execute()
  }

  async countOpen(managementNodeUuid: string): Promise<number> {
    const { count } = await this.#database.read
      .selectFrom('uploads')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', '=', sql.lit('Open' as const))
      .where('managementNodeUuid', '=', managementNodeUuid)
      .executeTakeFirstOrThrow()
    return count
  }

  countOpenByUser(tx: Tx, userUuid: string, limit: number): Promise<number> {
    return countUpTo(
      tx,
      limit,
      tx
        .selectFrom('uploads')
        .where('userUuid', '=', userUuid)
        // a literal, not a parameter: only then does SQLite use the index of open uploads
        .where('state', '=', sql.lit('Open' as const)),
    )
  }

  /** Those whose bytes this node stores: unfinished, or finished and not yet taken by their package. */
  listStored(managementNodeUuid: string): Promise<UploadRow[]> {
    return this.#database.read
      .selectFrom('uploads')
      .selectAll()
      .where('managementNodeUuid', '=', managementNodeUuid)
      .where('state', '<>', 'Ended')
      .execute()
  }

  removeEnded(tx: Tx, before: number, limit: number): Promise<number> {
    const ended = tx
      .selectFrom('uploads')
      .select('id')
      .where('state', '<>', sql.lit('Open' as const))
      .where('lastOpDate', '<', before)
      .limit(limit)
    return deleteByKey(tx, 'uploads', 'id', ended)
  }
}
