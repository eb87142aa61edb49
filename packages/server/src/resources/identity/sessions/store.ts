import type { Tx } from '@wharf/database/database.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type SessionRow = Selectable<Tables['sessions']>

export const insertSession = (tx: Tx, row: SessionRow) => tx.insertInto('sessions').values(row).execute()

export const findUserOf = async (tx: Tx, hash: string): Promise<string | undefined> =>
  (await tx.selectFrom('sessions').select('userUuid').where('hash', '=', hash).executeTakeFirst())?.userUuid

export const deleteSession = async (tx: Tx, hash: string): Promise<SessionRow | undefined> =>
  tx.deleteFrom('sessions').where('hash', '=', hash).returningAll().executeTakeFirst()

export const deleteSessionsOf = (tx: Tx, userUuid: string, exceptHash: string): Promise<{ hash: string }[]> =>
  tx.deleteFrom('sessions').where('userUuid', '=', userUuid).where('hash', '!=', exceptHash).returning('hash').execute()

export const deleteExpired = (tx: Tx, now: number, limit: number): Promise<number> => {
  const expired = tx.selectFrom('sessions').select('hash').where('expiredDate', '<=', now).limit(limit)
  return deleteByKey(tx, 'sessions', 'hash', expired)
}

/** The sessions of a user that have been unused for longest, beyond the newest `keep`. */
export const longestUnused = (tx: Tx, userUuid: string, keep: number): Promise<{ hash: string }[]> =>
  tx
    .selectFrom('sessions')
    .select('hash')
    .where('userUuid', '=', userUuid)
    .orderBy('lastUseDate', 'desc')
    .orderBy('hash')
    .offset(keep)
    .limit(1000)
    .execute()

export const extendSession = (tx: Tx, hash: string, lastUseDate: number, expiredDate: number) =>
  tx
    .updateTable('sessions')
    .set({ lastUseDate, expiredDate })
    .where('hash', '=', hash)
    .where('lastUseDate', '<', lastUseDate)
    .execute()
