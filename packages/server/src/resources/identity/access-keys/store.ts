import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type AccessKeyRow = Selectable<Tables['accessKeys']>

/** The rows of access keys. */
export class AccessKeyStore {
  find(tx: Tx, uuid: string): Promise<AccessKeyRow | undefined> {
    return tx.selectFrom('accessKeys').selectAll().where('uuid', '=', uuid).executeTakeFirst()
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

  async userIsIn(tx: Tx, userUuid: string, accountUuid: string): Promise<boolean> {
    return (
      (await tx
        .selectFrom('users')
        .select('uuid')
        .where('uuid', '=', userUuid)
        .where('accountUuid', '=', accountUuid)
        .executeTakeFirst()) !== undefined
    )
  }

  setState(tx: Tx, uuid: string, state: AccessKeyRow['state'], lastOpDate: number) {
    return tx.updateTable('accessKeys').set({ state, lastOpDate }).where('uuid', '=', uuid).execute()
  }

  delete(tx: Tx, uuid: string) {
    return tx.deleteFrom('accessKeys').where('uuid', '=', uuid).execute()
  }

  countOf(tx: Tx, userUuid: string, limit: number): Promise<number> {
    return countUpTo(tx, limit, tx.selectFrom('accessKeys').where('userUuid', '=', userUuid))
  }
}
