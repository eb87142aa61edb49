import type { PackageHook, PackageManifest } from '@wharf/archives/manifest.ts'
import { allowed, type PackageStatus, type Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { OnAnotherNode } from '@wharf/platform/on-another-node.ts'
import type { Caller } from '../../calls/caller.ts'
import type { Events } from '../../events/events.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { presentOwnership } from '../../jobs/ownership.ts'
import { canWorkOn, type HostRow, type HostService } from '../hosts/service.ts'
import { findNode } from '../management-nodes/service.ts'
import type { TagService } from '../tags/service.ts'
import type { UploadService } from '../uploads/service.ts'
import { manifestOf } from './configuration.ts'
import { expectedFiles } from './hook-files.ts'
import { folderOf, runHook } from './hooks.ts'
import { checkedDirectory } from './install-path.ts'
import type { PackageKind } from './package-kind.ts'
import * as store from './store.ts'

export type { PackageManifest } from '@wharf/archives/manifest.ts'
export type { Installation, PackageKind, StoredPackage } from './package-kind.ts'
export type { PackageRow } from './store.ts'

export const resourceType = 'SoftwarePackage'

/** Of a cluster component that names no port of its own. */
export const standardApiPort = 8056

export interface NewPackage {
  readonly name: string
  readonly type: string
  readonly installPath: string
  readonly sentInstallPath?: string | undefined
  readonly hostUuid?: string | undefined
  readonly managementNodeUuid?: string | undefined
  readonly backupStorageUuid?: string | undefined
  readonly resourceUuid?: string | undefined
}

/** The records of packages: which there are, and which way their status may go. */
export class SoftwarePackageService {
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #tags: TagService
  readonly #uploads: UploadService
  readonly #hosts: HostService
  readonly #nodeUuid: string
  readonly #kinds = new Map<string, PackageKind>()

  constructor(parts: {
    database: Database
    events: Events
    clock: Clock
    tags: TagService
    uploads: UploadService
    hosts: HostService
    nodeUuid: string
  }) {
    this.#database = parts.database
    this.#events = parts.events
    this.#clock = parts.clock
    this.#tags = parts.tags
    this.#uploads = parts.uploads
    this.#hosts = parts.hosts
    this.#nodeUuid = parts.nodeUuid
  }

  /** Once, when the server is put together: what packages of this type mean besides. */
  addKind(kind: PackageKind): void {
    this.#kinds.set(kind.type, kind)
  }

  /** Only what is on backup storage is of a kind. */
  kindOf({ type, backupStorageUuid }: Pick<store.PackageRow, 'type' | 'backupStorageUuid'>): PackageKind | undefined {
    return backupStorageUuid === null ? undefined : this.#kinds.get(type)
  }

  /** On a host nothing would come of a package that another resource works with. */
  refuseOnHost(type: string): void {
    if (this.#kinds.has(type))
      throw invalid(`params.type: a package of type ${type} is uploaded to backup storage, not to a host`)
  }

  async get(uuid: string, from?: Tx): Promise<store.PackageRow> {
    const row = await store.findPackage(from ?? this.#database.read, uuid)
    if (row === undefined) throw notFound('software package', uuid)
    return row
  }

  /** The record is there before the first byte moves, and its place is taken by it until the upload has failed. */
  async create(tx: Tx, fresh: NewPackage): Promise<store.PackageRow> {
    const now = this.#clock.now()
    const { name, type, installPath, hostUuid = null, managementNodeUuid = null, backupStorageUuid = null } = fresh
    const row: store.PackageRow = {
      uuid: fresh.resourceUuid ?? newUuid(),
      name,
      type,
      hostUuid,
      managementNodeUuid,
      backupStorageUuid,
      installPath,
      sentInstallPath: fresh.sentInstallPath ?? null,
      unzipInstallPath: null,
      md5sum: null,
      status: 'Uploading',
      size: 0,
      format: null,
      topFolder: null,
      hookFiles: null,
      manifest: null,
      sealedCluster: null,
      createDate: now,
      lastOpDate: now,
    }
    if (!(await store.insertPackage(tx, row)))
      throw (await store.findPackage(tx, row.uuid))
        ? new ApiError('SYS.1002', `a software package with the uuid ${row.uuid} exists already`)
        : new ApiError('SYS.1002', `another software package stands at ${installPath} already`)
    await this.kindOf(row)?.claim(tx, row)
    await this.#tell(tx, 'Created', row.uuid)
    return row
  }

  /** The caller's own unfinished upload with this key to the same place: a closed tab goes on where it was. */
  async findResumable(
    tx: Tx,
    caller: Caller,
    key: string,
    place: Pick<NewPackage, 'hostUuid' | 'backupStorageUuid' | 'installPath'>,
  ) {
    for (const upload of await this.#uploads.findOpen(tx, caller, key)) {
      const row = await store.findPackage(tx, upload.packageUuid)
      const isSame =
        row?.status === 'Uploading' &&
        row.installPath === place.installPath &&
        row.hostUuid === (place.hostUuid ?? null) &&
        row.backupStorageUuid === (place.backupStorageUuid ?? null)
      if (row && isSame) return { ...upload, row }
    }
    return undefined
  }

  /** The record stays, to be looked at and deleted; the files are gone. */
  async uploadFailed(tx: Tx, uuid: string): Promise<void> {
    await this.#uploads.end(tx, uuid)
    await this.#tags.detach(tx, uuid, 'uploadUrl')
    await this.update(tx, uuid, { status: 'UploadFailed' })
  }

  /** Whether a record of ours says that its upload has ended; of uploads by others nothing is known. */
  async isUploadEnded(uuid: string): Promise<boolean> {
    const row = await store.findPackage(this.#database.read, uuid)
    return row !== undefined && row.status !== 'Uploading'
  }

  async update(tx: Tx, uuid: string, change: Partial<store.PackageRow>): Promise<void> {
    await store.updatePackage(tx, uuid, { ...change, lastOpDate: this.#clock.now() })
    await this.#tell(tx, 'Updated', uuid)
  }

  /** Begins an action that the present status allows; every other status is refused by name. */
  async begin(tx: Tx, uuid: string, action: keyof typeof allowed, to: PackageStatus): Promise<void> {
    const before = await this.get(uuid, tx)
    const from: readonly PackageStatus[] = allowed[action]
    if (!(await store.moveStatus(tx, uuid, from, to, this.#clock.now()))) throw wrongStatus(before, action)
    await this.#tell(tx, 'Updated', uuid)
  }

  /** For an action during which the status stays as it is. */
  requireStatus(row: store.PackageRow, action: keyof typeof allowed): void {
    const from: readonly PackageStatus[] = allowed[action]
    if (!from.includes(row.status)) throw wrongStatus(row, action)
  }

  /** A package that a cluster plugin refers to neither goes nor is uninstalled. */
  async refuseReferenced(
    tx: Tx,
    { uuid, name, status }: store.PackageRow,
    code: 'SYS.1004' | 'SYS.1006',
  ): Promise<void> {
    if (status === 'Initializing') throw new ApiError(code, `software package ${name} is being initialised`)
    const plugin = await store.findPluginOn(tx, uuid)
    if (plugin)
      throw new ApiError(code, `cluster plugin ${plugin.name} runs on software package ${name}; remove it first`)
  }

  /** What wharf.json says of the package. */
  manifestOf(row: store.PackageRow): PackageManifest {
    return manifestOf(row)
  }

  /** Runs one of the package's own programs on its host; what it answers. `isShared`: beside other hooks of the package. */
  async runHook(
    context: JobContext,
    row: store.PackageRow,
    name: string,
    hook: PackageHook,
    input: object,
    { secretResult, isShared = false }: { secretResult?: string; isShared?: boolean } = {},
  ) {
    const { driver } = await this.#hosts.usable(row.hostUuid ?? '')
    const subject = isShared ? undefined : row.uuid
    const files = expectedFiles(row, hook.run)
    return runHook(context, { driver, hook, name, folder: folderOf(row), input, files, subject, secretResult })
  }

  /** For the undo of a job: a hook that an earlier owner has running ends only when the next one reaches the host. */
  async endEarlierHooks(uuid: string, { signal, hostUuid }: { signal: AbortSignal; hostUuid?: string }): Promise<void> {
    if ((presentOwnership()?.fence ?? 1) === 1) return
    const found = (await this.get(uuid)).hostUuid ?? hostUuid
    if (found === undefined) return
    const driver = await this.#hosts.drivers.of(await this.#hosts.get(found))
    await driver.endHooks(uuid, { signal })
  }

  /** Those that are installed on a host and may run a cluster there, the newest first. */
  async listClusterPackages(): Promise<store.PackageRow[]> {
    const rows = await store.listClusterPackages(this.#database.read)
    return rows.filter((row) => manifestOf(row).cluster !== undefined)
  }

  /** An installed package that can check a component at this port, from whatever host the caller may work on. */
  async findClusterCheck(at: { apiPort: number; role: Role | undefined }): Promise<store.PackageRow | undefined> {
    for (const row of await this.listClusterPackages()) {
      const { check, apiPort = standardApiPort } = manifestOf(row).cluster ?? {}
      if (check === undefined || apiPort !== at.apiPort) continue
      const host = await this.#hosts.get(row.hostUuid ?? '')
      if (this.#isUsable(host) && canWorkOn(host, at)) return row
    }
    return undefined
  }

  #isUsable(host: HostRow): boolean {
    return host.state === 'Enabled' && host.status === 'Connected' && !this.#hosts.isElsewhere(host)
  }

  /** What whoever installs it is asked for, and what it is good for besides. */
  async configSchema(uuid: string) {
    const row = await this.get(uuid)
    const manifest = row.manifest === null ? undefined : manifestOf(row)
    return {
      configSchema: manifest?.config ?? null,
      backupStorageUuid: row.backupStorageUuid,
      canFormCluster: manifest?.cluster?.initialise !== undefined,
    }
  }

  /** Of a folder on the machine of this node. */
  async directoryUsage(nodeUuid: string, directoryPath: string) {
    const folder = checkedDirectory(directoryPath)
    await this.requireNode(nodeUuid)
    return this.#hosts.usageHere(folder)
  }

  /** What only the named node can do, another one hands on to it. */
  async requireNode(uuid: string): Promise<void> {
    if (uuid === this.#nodeUuid) return
    if (!(await findNode(this.#database.read, uuid))) throw notFound('management node', uuid)
    throw new OnAnotherNode(uuid, `this is to be done by management node ${uuid}`)
  }

  async delete(tx: Tx, uuid: string): Promise<void> {
    const row = await this.get(uuid, tx)
    await this.kindOf(row)?.deleted(tx, row)
    await this.#uploads.end(tx, uuid)
    await this.#tags.detachAll(tx, uuid)
    await store.deletePackage(tx, uuid)
    await this.#tell(tx, 'Deleted', uuid)
  }

  #tell(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#events.record(tx, { type, resourceType, uuid })
  }
}

const wrongStatus = ({ name, status }: store.PackageRow, action: keyof typeof allowed): ApiError =>
  new ApiError(
    'SYS.1005',
    `software package ${name} is ${status}; to ${action} it, it must be ${allowed[action].join(' or ')}`,
  )
