import type { Selectable } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type NodeRow = Selectable<Tables['managementNodes']>

/** True when the node was unknown or had been given up. */
export async function upsertNode(tx: Tx, row: NodeRow): Promise<boolean> {
  const before = await tx.selectFrom('managementNodes').select('status').where('uuid', '=', row.uuid).executeTakeFirst()
  const { uuid: _, createDate: __, ...change } = row
  await tx
    .insertInto('managementNodes')
    .values(row)
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet(change))
    .execute()
  return before?.status !== 'Alive'
}

export const touchNode = (tx: Tx, uuid: string, lastOpDate: number) =>
  tx.updateTable('managementNodes').set({ lastOpDate, status: 'Alive' }).where('uuid', '=', uuid).execute()

/** The nodes that have been silent since then and were thought alive. */
export const markDead = (tx: Tx, silentSince: number): Promise<{ uuid: string }[]> =>
  tx
    .updateTable('managementNodes')
    .set({ status: 'Dead' })
    .where('status', '=', 'Alive')
    .where('lastOpDate', '<', silentSince)
    .returning('uuid')
    .execute()
