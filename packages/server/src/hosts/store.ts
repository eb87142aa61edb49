import type { Selectable } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type HostRow = Selectable<Tables['hosts']>

export const insertHost = (tx: Tx, row: HostRow) => tx.insertInto('hosts').values(row).execute()

export const findLocalHost = (tx: Tx, nodeUuid: string): Promise<HostRow | undefined> =>
  tx
    .selectFrom('hosts')
    .selectAll()
    .where('managementNodeUuid', '=', nodeUuid)
    .where('driver', '=', 'local')
    .executeTakeFirst()
