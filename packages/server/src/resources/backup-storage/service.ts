import { mkdirSync, statfsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { BackupStorageInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import type { SystemEventRecorder } from '../../events/system-event.ts'
import { type ConnectionStatusDeps, RecordsWithConnectionStatus } from '../../records/connection-status.ts'
import { openCredentials, sealCredentials } from './credentials.ts'
import type { BackupStorageDriver } from './driver.ts'
import { type BackupStorageDrivers, backupStorageDrivers } from './drivers.ts'
import { sftpLocation } from './locations.ts'
import { checkedNewStorage, type NewStorage } from './new-storage.ts'
import { spaceChange, spaceText } from './space.ts'
import { changedStorage, type StorageChange, untestedColumns } from './storage-change.ts'
import { type BackupStorageRow, BackupStorageStore } from './store.ts'

interface Settings {
  readonly data: string
  readonly downloadAllow: readonly Cidr[]
  readonly caFile?: string | undefined
}

interface BackupStorageDeps extends ConnectionStatusDeps {
  readonly sealing: Sealing
  readonly systemEvents: SystemEventRecorder
  readonly settings: Settings
}

export class BackupStorageService extends RecordsWithConnectionStatus<BackupStorageRow, BackupStorageDriver> {
  readonly drivers: BackupStorageDrivers
  readonly #deps: BackupStorageDeps
  readonly #store: BackupStorageStore
  readonly #probes = new SingleFlight()

  constructor(deps: BackupStorageDeps) {
    super(deps, {
      inventory: BackupStorageInventory,
      unusableCode: 'BS.1003',
      unreachableCode: 'BS.1003',
      partOfNode: 'a folder',
      users: 'software packages',
    })
    this.#deps = deps
    this.#store = new BackupStorageStore(deps.database)
    this.drivers = backupStorageDrivers({ sealing: deps.sealing, ...deps.settings })
  }

  /** At the first start of a node: a folder in its data folder. */
  async registerFolder(tx: Tx, folder: string): Promise<string> {
    const url = pathToFileURL(folder).href
    const row = {
      ...this.#newRow(newSequentialUuid(), { name: 'local-folder', type: 'folder', url }),
      description: "A folder in this management node's data folder",
      ...createFolder(folder),
    }
    await this.insert(tx, row)
    await this.#store.saveOwnFolder(tx, this.nodeUuid, row.uuid)
    return row.uuid
  }

  /** The data folder may have moved, or the database may have been restored into another. */
  async updateOwnFolder(folder: string): Promise<void> {
    const row = await this.#store.findOwnFolder(this.nodeUuid)
    const url = pathToFileURL(folder).href
    if (row === undefined || row.url === url) return
    const change = { url, ...createFolder(folder) }
    await this.database.transaction((tx) => this.update(tx, row.uuid, change))
  }

  /** Storage at this address signs in with the key of this server. */
  async usesServerKeyAt(address: string): Promise<boolean> {
    const reachable = await this.#store.listReachable(this.nodeUuid)
    return reachable.some(
      (row) =>
        row.type === 'sftp' &&
        sftpLocation(row.url).address === address &&
        openCredentials(this.#deps.sealing, row).privateKey === undefined,
    )
  }

  /** The folder of `registerFolder`, unless it was deleted. */
  async findOwnFolder(): Promise<string | undefined> {
    return (await this.#store.findOwnFolder(this.nodeUuid))?.uuid
  }

  findByName(name: string): Promise<string | undefined> {
    return this.#store.findByName(name)
  }

  /** Refuses invalid fields; returns what to create. */
  check(storage: NewStorage): Promise<NewStorage> {
    return checkedNewStorage(storage, this.#deps.settings)
  }

  /** Creates the record of a storage that is being added. */
  async create(tx: Tx, storage: NewStorage): Promise<BackupStorageRow> {
    const uuid = storage.resourceUuid ?? newSequentialUuid()
    const row = { ...this.#newRow(uuid, storage), ...this.connectionColumns(uuid, storage) }
    await this.insert(tx, row)
    return row
  }

  /** The columns of a connection, but for the pinned key. */
  connectionColumns(uuid: string, storage: NewStorage): Pick<BackupStorageRow, 'url' | 'sealedCredentials'> {
    const { type, url, username, privateKey, accessKeyId, secretAccessKey, region } = storage
    const credentials = { username, privateKey, accessKeyId, secretAccessKey, region }
    return { url, sealedCredentials: type === 'folder' ? null : sealCredentials(this.#deps.sealing, uuid, credentials) }
  }

  /** Refuses invalid fields; returns the storage as it would be. */
  checkChange(row: BackupStorageRow, change: StorageChange): Promise<NewStorage> {
    return this.check(changedStorage(row, openCredentials(this.#deps.sealing, row), change))
  }

  /** Stores what was checked; `columns` are those of a connection that works. */
  async change(
    tx: Tx,
    uuid: string,
    change: StorageChange,
    columns: Partial<BackupStorageRow> = {},
  ): Promise<BackupStorageRow> {
    await this.update(tx, uuid, { ...columns, ...untestedColumns(change) })
    return this.get(uuid, tx)
  }

  #newRow(uuid: string, { name, type, url, description }: NewStorage): BackupStorageRow {
    const now = this.clock.now()
    return {
      uuid,
      name,
      description: description ?? null,
      type,
      url,
      managementNodeUuid: type === 'folder' ? this.nodeUuid : null,
      state: 'Enabled',
      status: 'Connecting',
      errorCode: null,
      errorDetails: null,
      totalCapacity: 0,
      availableCapacity: 0,
      hostKey: null,
      sealedCredentials: null,
      isAlmostFull: null,
      createDate: now,
      lastOpDate: now,
    }
  }

  /** Of a storage of type sftp. */
  usernameOf(row: BackupStorageRow): string {
    return openCredentials(this.#deps.sealing, row).username ?? ''
  }

  /** The storage for a package that names none. */
  async mostFreeSpace({ isReachable }: { isReachable: boolean }): Promise<BackupStorageRow> {
    const row = await this.#store.findMostFreeSpace(isReachable ? this.nodeUuid : undefined)
    if (row === undefined)
      throw new ApiError(
        'SoftwarePackage.1122',
        'no backup storage is both Enabled and Connected; enable or reconnect one, or add one',
      )
    return row
  }

  /** Probes every storage that this node can reach. */
  probeAll(): Promise<void> {
    return this.#probes.run(() => this.#probeEach())
  }

  async #probeEach(): Promise<void> {
    const rows = await this.#store.listReachable(this.nodeUuid)
    await this.drivers.keepOnly(rows.map(({ uuid }) => uuid))
    const watched = rows.filter(({ state, status }) => state === 'Enabled' && status !== 'Connecting')
    // a storage that was disconnected must pass the whole check
    await Promise.all(watched.map((row) => this.probe(row, { isThorough: row.status !== 'Connected' })))
  }

  protected async query(row: BackupStorageRow, signal: AbortSignal, { isThorough }: { isThorough: boolean }) {
    const driver = await this.drivers.of(row)
    if (isThorough) await driver.check({ signal })
    const columns = await driver.usage({ signal })
    return { columns, store: (tx: Tx) => this.recordSpace(tx, { ...row, ...columns }) }
  }

  /** Reports once that free space is low, until there is clearly more. */
  async recordSpace(tx: Tx, row: BackupStorageRow): Promise<void> {
    const { uuid, name } = row
    const isAlmostFull = spaceChange(row)
    // of several nodes that probe it, one changes the row
    if (isAlmostFull === undefined || !(await this.#store.saveAlmostFull(tx, uuid, isAlmostFull)) || !isAlmostFull)
      return
    await this.#deps.systemEvents.record(tx, {
      event: 'StorageAlmostFull',
      resource: { type: 'BackupStorage', uuid, name },
      reason: spaceText(row),
    })
  }
}

function createFolder(folder: string): Pick<BackupStorageRow, 'status' | 'totalCapacity' | 'availableCapacity'> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { blocks, bavail, bsize } = statfsSync(folder)
  return { status: 'Connected', totalCapacity: blocks * bsize, availableCapacity: bavail * bsize }
}
