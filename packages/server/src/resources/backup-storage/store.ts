import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type BackupStorageRow = Selectable<Tables['backupStorage']>

/** A node may have several folders; this is the one in its data folder. */
const folderSetting = (nodeUuid: string): string => `backupStorageOf.${nodeUuid}`

export const rememberFolder = (tx: Tx, nodeUuid: string, uuid: string) =>
  tx
    .insertInto('settings')
    .values({ name: folderSetting(nodeUuid), value: uuid })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: uuid }))
    .execute()

export const findRememberedFolder = (from: Reader, nodeUuid: string): Promise<BackupStorageRow | undefined> =>
  from
    .selectFrom('backupStorage')
    .innerJoin('settings', 'settings.value', 'backupStorage.uuid')
    .selectAll('backupStorage')
    .where('settings.name', '=', folderSetting(nodeUuid))
    .executeTakeFirst()

/** Those that this node can reach: its own folders, and whatever lies elsewhere. */
const within = (from: Reader, nodeUuid: string) =>
  from
    .selectFrom('backupStorage')
    .selectAll()
    .where(({ or, eb }) => or([eb('managementNodeUuid', 'is', null), eb('managementNodeUuid', '=', nodeUuid)]))

export const listBackupStorage = (from: Reader, nodeUuid: string): Promise<BackupStorageRow[]> =>
  within(from, nodeUuid).execute()

/** The enabled and connected one with most room, of all or of those that the node can reach. One that does not tell its room comes last. */
export const findMostRoom = (from: Reader, nodeUuid?: string): Promise<BackupStorageRow | undefined> =>
  (nodeUuid === undefined ? from.selectFrom('backupStorage').selectAll() : within(from, nodeUuid))
    .where('state', '=', 'Enabled')
    .where('status', '=', 'Connected')
    .orderBy('availableCapacity', 'desc')
    .orderBy('createDate')
    .orderBy('uuid')
    .limit(1)
    .executeTakeFirst()
