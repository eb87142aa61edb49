import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type BackupStorageRow = Selectable<Tables['backupStorage']>

/** The folder in the data folder of a node, which may have others. */
const folderSetting = (nodeUuid: string): string => `backupStorageOf.${nodeUuid}`

export const saveOwnFolder = (tx: Tx, nodeUuid: string, uuid: string) =>
  tx
    .insertInto('settings')
    .values({ name: folderSetting(nodeUuid), value: uuid })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: uuid }))
    .execute()

export const findOwnFolder = (from: Reader, nodeUuid: string): Promise<BackupStorageRow | undefined> =>
  from
    .selectFrom('backupStorage')
    .innerJoin('settings', 'settings.value', 'backupStorage.uuid')
    .selectAll('backupStorage')
    .where('settings.name', '=', folderSetting(nodeUuid))
    .executeTakeFirst()

/** The storage that a node can reach: its own folders, and what is not on a node. */
const reachableFrom = (from: Reader, nodeUuid: string) =>
  from
    .selectFrom('backupStorage')
    .selectAll()
    .where(({ or, eb }) => or([eb('managementNodeUuid', 'is', null), eb('managementNodeUuid', '=', nodeUuid)]))

export const listReachable = (from: Reader, nodeUuid: string): Promise<BackupStorageRow[]> =>
  reachableFrom(from, nodeUuid).execute()

/** Enabled and connected, of all or of those that a node can reach. Storage that does not report its capacity is last. */
export const findMostFreeSpace = (from: Reader, nodeUuid?: string): Promise<BackupStorageRow | undefined> =>
  (nodeUuid === undefined ? from.selectFrom('backupStorage').selectAll() : reachableFrom(from, nodeUuid))
    .where('state', '=', 'Enabled')
    .where('status', '=', 'Connected')
    .orderBy('availableCapacity', 'desc')
    .orderBy('createDate')
    .orderBy('uuid')
    .limit(1)
    .executeTakeFirst()
