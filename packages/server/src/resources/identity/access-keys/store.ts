import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type AccessKeyRow = Selectable<Tables['accessKeys']>

export const findKey = (tx: Tx, uuid: string): Promise<AccessKeyRow | undefined> =>
  tx.selectFrom('accessKeys').selectAll().where('uuid', '=', uuid).executeTakeFirst()

/** False when the id or the uuid is taken. */
export async function insertKey(tx: Tx, row: AccessKeyRow): Promise<boolean> {
  const done = await tx
    .insertInto('accessKeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

export const userIsIn = async (tx: Tx, userUuid: string, accountUuid: string): Promise<boolean> =>
  (await tx
    .selectFrom('users')
    .select('uuid')
    .where('uuid', '=', userUuid)
    .where('accountUuid', '=', accountUuid)
    .executeTakeFirst()) !== undefined

export const setKeyState = (tx: Tx, uuid: string, state: AccessKeyRow['state'], lastOpDate: number) =>
  tx.updateTable('accessKeys').set({ state, lastOpDate }).where('uuid', '=', uuid).execute()

export const deleteKey = (tx: Tx, uuid: string) => tx.deleteFrom('accessKeys').where('uuid', '=', uuid).execute()

export const countKeysOf = (tx: Tx, userUuid: string, limit: number): Promise<number> =>
  countUpTo(tx, limit, tx.selectFrom('accessKeys').where('userUuid', '=', userUuid))
