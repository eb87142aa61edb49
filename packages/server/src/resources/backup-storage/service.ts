import { mkdirSync, statfsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { afterCommit, type Database, type Tx } from '@wharf/database/database.ts'
import { isForeignKeyViolation } from '@wharf/database/failures.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { look } from '@wharf/platform/look.ts'
import { OnAnotherNode } from '@wharf/platform/on-another-node.ts'
import { OneRound } from '@wharf/platform/one-round.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { Events } from '../../events/events.ts'
import { openCredentials, sealCredentials } from './credentials.ts'
import type { BackupStorageDriver } from './driver.ts'
import { BackupStorageDrivers } from './drivers.ts'
import { checkedNewStorage, type NewStorage } from './new-storage.ts'
import * as store from './store.ts'

export class BackupStorageService {
  readonly drivers: BackupStorageDrivers
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #sealing: Sealing
  readonly #nodeUuid: string
  readonly #settings: { readonly data: string; readonly downloadAllow: readonly Cidr[] }
  readonly #round = new OneRound()

  constructor(parts: {
    database: Database
    events: Events
    clock: Clock
    sealing: Sealing
    nodeUuid: string
    settings: { data: string; downloadAllow: readonly Cidr[]; caFile?: string | undefined }
  }) {
    const { sealing, settings } = parts
    this.drivers = new BackupStorageDrivers({ sealing, ...settings })
    this.#database = parts.database
    this.#events = parts.events
    this.#clock = parts.clock
    this.#sealing = sealing
    this.#nodeUuid = parts.nodeUuid
    this.#settings = settings
  }

  /** A folder of this node is a backup storage from the first start on. */
  async registerFolder(tx: Tx, folder: string): Promise<string> {
    const url = pathToFileURL(folder).href
    const row = {
      ...this.#fresh(newUuid(), { name: 'local-folder', type: 'folder', url }),
      description: "A folder in this management node's data folder",
      ...makeFolder(folder),
    }
    await store.insertBackupStorage(tx, row)
    await store.rememberFolder(tx, this.#nodeUuid, row.uuid)
    await this.#tell(tx, 'Created', row.uuid)
    return row.uuid
  }

  /** It lies in the data folder, and that may have moved since, or its database may have been restored into another. */
  async followFolder(folder: string): Promise<void> {
    const row = await store.findRememberedFolder(this.#database.read, this.#nodeUuid)
    const url = pathToFileURL(folder).href
    if (row === undefined || row.url === url) return
    const change = { url, ...makeFolder(folder) }
    await this.#database.transaction((tx) => this.update(tx, row.uuid, change))
  }

  /** What `registerFolder` has made, unless it was deleted. */
  async registeredFolder(): Promise<string | undefined> {
    return (await store.findRememberedFolder(this.#database.read, this.#nodeUuid))?.uuid
  }

  /** What can be refused before anything is done. What comes back is to be created. */
  check(storage: NewStorage): Promise<NewStorage> {
    return checkedNewStorage(storage, this.#settings)
  }

  /** The record of a storage that is about to be tried for the first time. */
  async create(tx: Tx, storage: NewStorage): Promise<store.BackupStorageRow> {
    const uuid = storage.resourceUuid ?? newUuid()
    const { type, username, privateKey, accessKeyId, secretAccessKey, region } = storage
    const credentials = { username, privateKey, accessKeyId, secretAccessKey, region }
    const sealedCredentials = type === 'folder' ? null : sealCredentials(this.#sealing, uuid, credentials)
    const row = { ...this.#fresh(uuid, storage), sealedCredentials }
    if (!(await store.insertBackupStorage(tx, row)))
      throw new ApiError('SYS.1002', `a backup storage with the uuid ${uuid} exists already`)
    await this.#tell(tx, 'Created', uuid)
    return row
  }

  #fresh(uuid: string, { name, type, url, description }: NewStorage): store.BackupStorageRow {
    const now = this.#clock.now()
    return {
      uuid,
      name,
      description: description ?? null,
      type,
      url,
      managementNodeUuid: type === 'folder' ? this.#nodeUuid : null,
      state: 'Enabled',
      status: 'Connecting',
      totalCapacity: 0,
      availableCapacity: 0,
      hostKey: null,
      sealedCredentials: null,
      createDate: now,
      lastOpDate: now,
    }
  }

  async get(uuid: string, from: Tx | undefined = undefined): Promise<store.BackupStorageRow> {
    const row = await store.findBackupStorage(from ?? this.#database.read, uuid)
    if (row === undefined) throw notFound('backup storage', uuid)
    return row
  }

  /** Who signs in there, with type sftp. */
  usernameOf(row: store.BackupStorageRow): string {
    return openCredentials(this.#sealing, row).username ?? ''
  }

  /** A storage that packages may be put on and taken from. */
  async usable(uuid: string): Promise<{ row: store.BackupStorageRow; driver: BackupStorageDriver }> {
    const row = await this.get(uuid)
    this.refuseUnusable(row)
    return { row, driver: await this.drivers.of(row) }
  }

  refuseUnusable(row: store.BackupStorageRow): void {
    if (row.state === 'Disabled')
      throw new ApiError('SYS.1005', `backup storage ${row.name} is Disabled; it must be Enabled`)
    if (row.status !== 'Connected') throw new ApiError('BS.1003', `backup storage ${row.name} is ${row.status}`)
    this.#refuseElsewhere(row)
  }

  #refuseElsewhere({ name, managementNodeUuid }: store.BackupStorageRow): void {
    if (managementNodeUuid === null || managementNodeUuid === this.#nodeUuid) return
    throw new OnAnotherNode(
      managementNodeUuid,
      `backup storage ${name} is a folder of management node ${managementNodeUuid}`,
    )
  }

  /** Where a package goes that names no storage: the enabled and connected one with most room, of those in reach or of all. */
  async mostRoom({ here }: { here: boolean }): Promise<store.BackupStorageRow> {
    const row = await store.findMostRoom(this.#database.read, here ? this.#nodeUuid : undefined)
    if (row === undefined)
      throw new ApiError('SoftwarePackage.1122', 'there is no backup storage that is both Enabled and Connected')
    return row
  }

  async update(tx: Tx, uuid: string, change: Partial<store.BackupStorageRow>): Promise<void> {
    await store.updateBackupStorage(tx, uuid, { ...change, lastOpDate: this.#clock.now() })
    await this.#tell(tx, 'Updated', uuid)
  }

  /** Nobody else can reach the folders of a node that is gone; if it comes back, it says so itself. */
  async loseNode(tx: Tx, nodeUuid: string): Promise<void> {
    for (const { uuid } of await store.connectedOf(tx, nodeUuid))
      await this.update(tx, uuid, { status: 'Disconnected' })
  }

  async changeState(tx: Tx, uuid: string, stateEvent: 'enable' | 'disable'): Promise<store.BackupStorageRow> {
    await this.get(uuid, tx)
    await this.update(tx, uuid, { state: stateEvent === 'enable' ? 'Enabled' : 'Disabled' })
    return this.get(uuid, tx)
  }

  /** Tries everything that a storage must do, on a new connection, and says in its record what came of it. */
  async reconnect(uuid: string): Promise<store.BackupStorageRow> {
    const row = await this.get(uuid)
    this.#refuseElsewhere(row)
    await this.drivers.forget(uuid)
    const failure = await this.#look(row, 'check')
    if (failure) throw failure
    return this.get(uuid)
  }

  /** Every storage that this node can reach, once. */
  lookAtAll(): Promise<void> {
    return this.#round.run(() => this.#lookAtEach())
  }

  async #lookAtEach(): Promise<void> {
    const rows = await store.listBackupStorage(this.#database.read, this.#nodeUuid)
    await this.drivers.keepOnly(rows.map(({ uuid }) => uuid))
    const watched = rows.filter(({ state, status }) => state === 'Enabled' && status !== 'Connecting')
    // one that was away must show that it can do everything again
    await Promise.all(watched.map((row) => this.#look(row, row.status === 'Connected' ? 'usage' : 'check')))
  }

  async #look(row: store.BackupStorageRow, how: 'usage' | 'check'): Promise<ApiError | undefined> {
    const seen = await look(
      async (signal) => {
        const driver = await this.drivers.of(row)
        if (how === 'check') await driver.check({ signal })
        return driver.usage({ signal })
      },
      (cause) => new ApiError('BS.1003', `backup storage ${row.name} did not answer`, { cause }),
    )
    if ('failure' in seen) {
      // the record is the other nodes' too; who is not sure leaves it to the next round
      if (seen.isSure && row.status !== 'Disconnected')
        await this.#database.transaction((tx) => this.update(tx, row.uuid, { status: 'Disconnected' }))
      return seen.failure
    }
    await this.#database.transaction<unknown>((tx) =>
      // capacities move all the time; only a change of status is worth an event
      row.status === 'Connected'
        ? store.updateBackupStorage(tx, row.uuid, seen.answer)
        : this.update(tx, row.uuid, { status: 'Connected', ...seen.answer }),
    )
    return undefined
  }

  async delete(tx: Tx, uuid: string): Promise<void> {
    await this.#remove(tx, await this.get(uuid, tx))
  }

  /** When adding it has failed; one that is already added, and may be in use, stays. */
  async deleteIfConnecting(tx: Tx, uuid: string): Promise<void> {
    const row = await store.findBackupStorage(tx, uuid)
    if (row?.status === 'Connecting') await this.#remove(tx, row)
  }

  async #remove(tx: Tx, { uuid, name }: store.BackupStorageRow): Promise<void> {
    try {
      await store.deleteBackupStorage(tx, uuid)
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause
      throw new ApiError('SYS.1004', `there are software packages on backup storage ${name}; delete them first`)
    }
    await this.#tell(tx, 'Deleted', uuid)
    afterCommit(tx, () => void this.drivers.forget(uuid))
  }

  #tell(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#events.record(tx, { type, resourceType: 'BackupStorage', uuid })
  }
}

function makeFolder(folder: string): Pick<store.BackupStorageRow, 'status' | 'totalCapacity' | 'availableCapacity'> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { blocks, bavail, bsize } = statfsSync(folder)
  return { status: 'Connected', totalCapacity: blocks * bsize, availableCapacity: bavail * bsize }
}
