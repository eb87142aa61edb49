import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

/** The others follow with the next round. */
const maxReported = 100

export type AccessKeyRow = Selectable<Tables['accessKeys']>

/** The rows of access keys. */
export class AccessKeyStore {
  find(tx: Tx, uuid: string): Promise<AccessKeyRow | undefined> {
    return tx.selectFrom('accessKeys').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  listOf(tx: Tx, userUuid: string): Promise<AccessKeyRow[]> {
    return tx.selectFrom('accessKeys').selectAll().where('userUuid', '=', userUuid).orderBy('uuid').execute()
  }

  /** False when the id or the uuid is taken. */
  async insert(tx: Tx, row: AccessKeyRow): Promise<boolean> {
    const done = await tx
      .insertInto('accessKeys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return done !== undefined
  }

  /** A user; undefined when the account has no such user. */
  findUser(tx: Tx, userUuid: string, accountUuid: string) {
    const user = tx.selectFrom('users').select(['name', 'role', 'scope']).where('uuid', '=', userUuid)
    return user.where('accountUuid', '=', accountUuid).executeTakeFirst()
  }

  update(tx: Tx, uuid: string, change: Partial<AccessKeyRow>) {
    return tx.updateTable('accessKeys').set(change).where('uuid', '=', uuid).execute()
  }

  /** Another node may have recorded a later one. */
  recordUse(tx: Tx, uuid: string, lastUsedDate: number) {
    return tx
      .updateTable('accessKeys')
      .set({ lastUsedDate })
      .where('uuid', '=', uuid)
      .where(({ or, eb }) => or([eb('lastUsedDate', 'is', null), eb('lastUsedDate', '<', lastUsedDate)]))
      .execute()
  }

  /** Enabled keys that expire soon, were valid for longer than the notice, and are not reported. */
  listExpiring(from: Database['read'], { now, noticeMs }: { now: number; noticeMs: number }) {
    return from
      .selectFrom('accessKeys')
      .select('uuid')
      .where('expiresDate', '>', now)
      .where('expiresDate', '<=', now + noticeMs)
      .where('expiryReportDate', 'is', null)
      .where('state', '=', 'Enabled')
      .where(({ eb }) => eb('expiresDate', '>', eb('createDate', '+', noticeMs)))
      .limit(maxReported)
      .execute()
  }

  /** Undefined when another node was first. */
  claimExpiryReport(tx: Tx, uuid: string, expiryReportDate: number): Promise<AccessKeyRow | undefined> {
    return tx
      .updateTable('accessKeys')
      .set({ expiryReportDate })
      .where('uuid', '=', uuid)
      .where('expiryReportDate', 'is', null)
      .returningAll()
      .executeTakeFirst()
  }

  async ownerOf(tx: Tx, userUuid: string): Promise<string | undefined> {
    return (await tx.selectFrom('users').select('name').where('uuid', '=', userUuid).executeTakeFirst())?.name
  }

  delete(tx: Tx, uuid: string) {
    return tx.deleteFrom('accessKeys').where('uuid', '=', uuid).execute()
  }

  countOf(tx: Tx, userUuid: string, limit: number): Promise<number> {
    return countUpTo(tx, limit, tx.selectFrom('accessKeys').where('userUuid', '=', userUuid))
  }
}
