import type { Role } from '@wharf/contract'
import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'
import { selectRole } from '../identity/accounts/service.ts'
import { lostNodes } from '../management-nodes/service.ts'
import { maxUploadMs } from './limits.ts'

export type UploadRow = Selectable<Tables['uploads']>

export const insertUpload = (tx: Tx, row: UploadRow) => tx.insertInto('uploads').values(row).execute()

export const findUpload = (db: Reader, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()

/** With the current role of the user who opened it; null when that user does not exist. */
export const findWithRole = (db: Reader, id: string): Promise<(UploadRow & { role: Role | null }) | undefined> =>
  db.selectFrom('uploads').selectAll().select(selectRole('userUuid').as('role')).where('id', '=', id).executeTakeFirst()

export const findOpenByUser = (tx: Tx, userUuid: string): Promise<Pick<UploadRow, 'id' | 'packageUuid'>[]> =>
  tx
    .selectFrom('uploads')
    .select(['id', 'packageUuid'])
    .where('userUuid', '=', userUuid)
    .where('state', '=', 'Open')
    .execute()

/** The newest first. */
export const findResumable = (tx: Tx, userUuid: string, resumeKey: string, now: number): Promise<UploadRow[]> =>
  tx
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

export const findOpenOf = (db: Reader, packageUuids: readonly string[]): Promise<UploadRow[]> =>
  db.selectFrom('uploads').selectAll().where('packageUuid', 'in', packageUuids).where('state', '=', 'Open').execute()

type Change = Partial<
  Pick<UploadRow, 'size' | 'md5' | 'sha256' | 'state' | 'uncheckedFrom' | 'expiryDate' | 'lastOpDate'>
>

/** False when it is no longer open, or expires after `ifExpiredBy`; then nothing changes. */
export async function changeOpen(tx: Tx, id: string, change: Change, ifExpiredBy?: number): Promise<boolean> {
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
export const endOfPackage = (tx: Tx, packageUuid: string, now: number): Promise<{ id: string }[]> =>
  tx
    .updateTable('uploads')
    .set({ state: 'Ended', lastOpDate: now })
    .where('packageUuid', '=', packageUuid)
    .where('state', '<>', 'Ended')
    .returning('id')
    .execute()

/** Expired, too old or of a deleted user; of this node, which knows whether a slice is arriving, and of lost nodes. */
export const findExpired = (db: Reader, nodeUuid: string, now: number): Promise<UploadRow[]> =>
  db
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

export async function countOpen(db: Reader, managementNodeUuid: string): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', sql.lit('Open' as const))
    .where('managementNodeUuid', '=', managementNodeUuid)
    .executeTakeFirstOrThrow()
  return count
}

export const countOpenOf = (tx: Tx, userUuid: string, limit: number): Promise<number> =>
  countUpTo(
    tx,
    limit,
    tx
      .selectFrom('uploads')
      .where('userUuid', '=', userUuid)
      // a literal, not a parameter: only then does SQLite use the index of open uploads
      .where('state', '=', sql.lit('Open' as const)),
  )

/** Those whose bytes this node stores: unfinished, or finished and not yet taken by their package. */
export const findKept = (db: Reader, managementNodeUuid: string): Promise<UploadRow[]> =>
  db
    .selectFrom('uploads')
    .selectAll()
    .where('managementNodeUuid', '=', managementNodeUuid)
    .where('state', '<>', 'Ended')
    .execute()

export const removeEnded = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('uploads')
    .where('id', 'in', (from) =>
      from
        .selectFrom('uploads')
        .select('id')
        .where('state', '<>', sql.lit('Open' as const))
        .where('lastOpDate', '<', before)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
