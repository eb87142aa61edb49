import type { Database, Tx } from '@wharf/database/database.ts'
import { readSetting, writeSetting } from '@wharf/database/stored-settings.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type BackupStorageRow = Selectable<Tables['backupStorage']>

/** The folder in the data folder of a node, which may have others. */
const folderSetting = (nodeUuid: string): string => `backupStorageOf.${nodeUuid}`

/** The queries of backup storage that `Records` does not have. */
export class BackupStorageStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  saveOwnFolder(tx: Tx, nodeUuid: string, uuid: string) {
    return writeSetting(tx, folderSetting(nodeUuid), uuid)
  }

  async findOwnFolder(nodeUuid: string): Promise<BackupStorageRow | undefined> {
    const uuid = await readSetting(this.#database.read, folderSetting(nodeUuid))
    if (uuid === undefined) return undefined
    return this.#database.read.selectFrom('backupStorage').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  /** The oldest one of several with this name. */
  async findByName(name: string): Promise<string | undefined> {
    const found = this.#database.read.selectFrom('backupStorage').select('uuid').where('name', '=', name)
    return (await found.orderBy('createDate').limit(1).executeTakeFirst())?.uuid
  }

  /** False when another transaction has stored the same. */
  async saveAlmostFull(tx: Tx, uuid: string, isAlmostFull: boolean): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('backupStorage')
      .set({ isAlmostFull: isAlmostFull ? 1 : 0 })
      .where('uuid', '=', uuid)
      .where(({ or, eb }) => or([eb('isAlmostFull', 'is', null), eb('isAlmostFull', '!=', isAlmostFull ? 1 : 0)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** The storage that a node can reach: its own folders, and what is not on a node. */
  #reachableFrom(nodeUuid: string) {
    return this.#database.read
      .selectFrom('backupStorage')
      .selectAll()
      .where(({ or, eb }) => or([eb('managementNodeUuid', 'is', null), eb('managementNodeUuid', '=', nodeUuid)]))
  }

  listReachable(nodeUuid: string): Promise<BackupStorageRow[]> {
    return this.#reachableFrom(nodeUuid).execute()
  }

  /** Enabled and connected, of all or of those that a node can reach. Storage that does not report its capacity is last. */
  findMostFreeSpace(nodeUuid?: string): Promise<BackupStorageRow | undefined> {
    return (
      nodeUuid === undefined
        ? this.#database.read.selectFrom('backupStorage').selectAll()
        : this.#reachableFrom(nodeUuid)
    )
      .where('state', '=', 'Enabled')
      .where('status', '=', 'Connected')
      .orderBy('availableCapacity', 'desc')
      .orderBy('createDate')
      .orderBy('uuid')
      .limit(1)
      .executeTakeFirst()
  }
}
