import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type UploadRow = Selectable<Tables['uploads']>

export const insertUpload = (tx: Tx, row: UploadRow) => tx.insertInto('uploads').values(row).execute()

export const findUpload = (db: Reader, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()

/** The newest first. */
export const findResumable = (tx: Tx, userUuid: string, resumeKey: string, now: number): Promise<UploadRow[]> =>
  tx
    .selectFrom('uploads')
    .selectAll()
    .where('userUuid', '=', userUuid)
    .where('resumeKey', '=', resumeKey)
    .where('state', '=', 'Open')
    .where('expiryDate', '>', now)
    .orderBy('createDate', 'desc')
    .orderBy('id')
    .execute()

export const findOpenOf = (db: Reader, packageUuids: readonly string[]): Promise<UploadRow[]> =>
  db.selectFrom('uploads').selectAll().where('packageUuid', 'in', packageUuids).where('state', '=', 'Open').execute()

type Change = Partial<
  Pick<UploadRow, 'size' | 'md5' | 'sha256' | 'state' | 'uncheckedFrom' | 'expiryDate' | 'lastOpDate'>
>

/** False when it is no longer open, or has not expired by the time that is named; then nothing changes. */
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

/** Whatever it was; the ids of those that had not ended yet. */
export const endOfPackage = (tx: Tx, packageUuid: string, now: number): Promise<{ id: string }[]> =>
  tx
    .updateTable('uploads')
    .set({ state: 'Ended', lastOpDate: now })
    .where('packageUuid', '=', packageUuid)
    .where('state', '<>', 'Ended')
    .returning('id')
    .execute()

/** Of this node, which knows whether a slice is coming, and of nodes that are gone. */
export const findExpired = (db: Reader, nodeUuid: string, now: number): Promise<UploadRow[]> =>
  db
    .selectFrom('uploads')
    .selectAll()
    .where('state', '=', 'Open')
    .where('expiryDate', '<=', now)
    .where(({ or, eb }) =>
      or([
        eb('managementNodeUuid', '=', nodeUuid),
        eb('managementNodeUuid', 'in', (nodes) =>
          nodes.selectFrom('managementNodes').select('uuid').where('status', '=', 'Dead'),
        ),
      ]),
    )
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

/** Those whose bytes this node keeps: unfinished, or finished and not yet carried off. */
export const findKept = (db: Reader, managementNodeUuid: string): Promise<UploadRow[]> =>
  db
    .selectFrom('uploads')
    .selectAll()
    .where('managementNodeUuid', '=', managementNodeUuid)
    .where('state', '<>', 'Ended')
    .execute()

export const forgetEnded = (tx: Tx, before: number) =>
  tx.deleteFrom('uploads').where('state', '<>', 'Open').where('lastOpDate', '<', before).execute()
