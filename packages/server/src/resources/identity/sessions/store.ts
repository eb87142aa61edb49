import type { Tx } from '@wharf/database/database.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'

export type SessionRow = Selectable<Tables['sessions']>

/** The uuid of a session's record, as the index has it: a part of the hash, which is not a credential. */
export const uuidColumn = 'substr("hash", 1, 32)'
const uuidOfRow = sql<string>`${sql.raw(uuidColumn)}`

/** The rows of sessions. */
export class SessionStore {
  insert(tx: Tx, row: SessionRow) {
    return tx.insertInto('sessions').values(row).execute()
  }

  async findUserOf(tx: Tx, hash: string): Promise<string | undefined> {
    return (await tx.selectFrom('sessions').select('userUuid').where('hash', '=', hash).executeTakeFirst())?.userUuid
  }

  findByUuid(tx: Tx, uuid: string): Promise<SessionRow | undefined> {
    return tx.selectFrom('sessions').selectAll().where(uuidOfRow, '=', uuid).executeTakeFirst()
  }

  async delete(tx: Tx, hash: string): Promise<SessionRow | undefined> {
    return tx.deleteFrom('sessions').where('hash', '=', hash).returningAll().executeTakeFirst()
  }

  /** `exceptHash` is kept. */
  deleteAllOf(tx: Tx, userUuid: string, exceptHash: string): Promise<SessionRow[]> {
    return tx
      .deleteFrom('sessions')
      .where('userUuid', '=', userUuid)
      .where('hash', '!=', exceptHash)
      .returningAll()
      .execute()
  }

  deleteExpired(tx: Tx, now: number, limit: number): Promise<number> {
    const expired = tx.selectFrom('sessions').select('hash').where('expiredDate', '<=', now).limit(limit)
    return deleteByKey(tx, 'sessions', 'hash', expired)
  }

  /** The sessions of a user that have been unused for longest, beyond the newest `keep`. */
  listLongestUnused(tx: Tx, userUuid: string, keep: number): Promise<{ hash: string }[]> {
    return tx
      .selectFrom('sessions')
      .select('hash')
      .where('userUuid', '=', userUuid)
      .orderBy('lastUseDate', 'desc')
      .orderBy('hash')
      .offset(keep)
      .limit(1000)
      .execute()
  }

  extend(tx: Tx, hash: string, lastUseDate: number, expiredDate: number) {
    return tx
      .updateTable('sessions')
      .set({ lastUseDate, expiredDate })
      .where('hash', '=', hash)
      .where('lastUseDate', '<', lastUseDate)
      .execute()
  }
}
