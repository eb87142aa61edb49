import type { Selectable } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type BackupStorageRow = Selectable<Tables['backupStorage']>

export const insertBackupStorage = (tx: Tx, row: BackupStorageRow) =>
  tx.insertInto('backupStorage').values(row).execute()

export const findFolderOf = (tx: Tx, nodeUuid: string): Promise<BackupStorageRow | undefined> =>
  tx
    .selectFrom('backupStorage')
    .selectAll()
    .where('managementNodeUuid', '=', nodeUuid)
    .where('type', '=', 'folder')
    .executeTakeFirst()
