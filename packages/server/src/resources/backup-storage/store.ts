import type { Reader, Tx } from '@wharf/database/database.ts'
import { readSetting, writeSetting } from '@wharf/database/stored-settings.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type BackupStorageRow = Selectable<Tables['backupStorage']>

/** The folder in the data folder of a node, which may have others. */
const folderSetting = (nodeUuid: string): string => `backupStorageOf.${nodeUuid}`

export const saveOwnFolder = (tx: Tx, nodeUuid: string, uuid: string) => writeSetting(tx, folderSetting(nodeUuid), uuid)

export async function findOwnFolder(from: Reader, nodeUuid: string): Promise<BackupStorageRow | undefined> {
  const uuid = await readSetting(from, folderSetting(nodeUuid))
  if (uuid === undefined) return undefined
  return from.selectFrom('backupStorage').selectAll().where('uuid', '=', uuid).executeTakeFirst()
}

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
