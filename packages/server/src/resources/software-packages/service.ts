import type { PackageHook, PackageManifest } from '@wharf/archives/manifest.ts'
import { allowed, type PackageStatus, type Role, SoftwarePackageInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { Caller } from '../../calls/caller.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { currentOwnership } from '../../jobs/ownership.ts'
import type { JobService } from '../../jobs/service.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import { canWorkOn, type HostRow, type HostService } from '../hosts/service.ts'
import { NodeStore } from '../management-nodes/service.ts'
import type { TagService } from '../tags/service.ts'
import type { UploadService } from '../uploads/service.ts'
import { manifestOf } from './configuration.ts'
import { expectedFiles } from './hook-files.ts'
import { folderOf, runHook } from './hooks.ts'
import { normalizeDirectory } from './install-path.ts'
import type { PackageKind } from './package-kind.ts'
import { type PackageRow, PackageStore } from './store.ts'

export type { PackageManifest } from '@wharf/archives/manifest.ts'
export type { Installation, PackageKind, StoredPackage } from './package-kind.ts'
export type { PackageRow } from './store.ts'

export const resourceType = 'SoftwarePackage'

/** The port of a cluster component whose package names none. */
export const defaultApiPort = 8056

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

interface SoftwarePackageDeps extends RecordDeps {
  readonly tags: TagService
  readonly uploads: UploadService
  readonly hosts: HostService
  readonly jobs: Pick<JobService, 'refuseBusy'>
  readonly nodeUuid: string
}

/** The records of packages, and the rules of their status. */
export class SoftwarePackageService extends Records<PackageRow> {
  readonly #deps: SoftwarePackageDeps
  readonly #store: PackageStore
  readonly #kinds = new Map<string, PackageKind>()
  readonly #referrers: ((tx: Tx, uuid: string) => Promise<string | undefined>)[] = []

  constructor(deps: SoftwarePackageDeps) {
    super(deps, { inventory: SoftwarePackageInventory })
    this.#deps = deps
    this.#store = new PackageStore(deps.database)
  }

  /** Called once at startup by another resource that uses packages of this type. */
  addKind(kind: PackageKind): void {
    this.#kinds.set(kind.type, kind)
  }

  /** Called once at startup; `referrer` returns the record that runs on a package, such as `cluster plugin a`. */
  addReferrer(referrer: (tx: Tx, uuid: string) => Promise<string | undefined>): void {
    this.#referrers.push(referrer)
  }

  /** Only packages on backup storage have a kind. */
  kindOf({ type, backupStorageUuid }: Pick<PackageRow, 'type' | 'backupStorageUuid'>): PackageKind | undefined {
    return backupStorageUuid === null ? undefined : this.#kinds.get(type)
  }

  /** A package of a kind has no use on a host. */
  refuseOnHost(type: string): void {
    if (this.#kinds.has(type))
      throw invalid(`params.type: a package of type ${type} is uploaded to backup storage, not to a host`)
  }

  /** The record exists before the first byte is transferred, and reserves its path until the upload has failed. */
  async create(tx: Tx, newPackage: NewPackage): Promise<PackageRow> {
    const { name, type, installPath, hostUuid = null, managementNodeUuid = null, backupStorageUuid = null } = newPackage
    const columns = {
      name,
      type,
      hostUuid,
      managementNodeUuid,
      backupStorageUuid,
      installPath,
      sentInstallPath: newPackage.sentInstallPath ?? null,
      unzipInstallPath: null,
      md5sum: null,
      status: 'Uploading' as const,
      size: 0,
      format: null,
      topFolder: null,
      hookFiles: null,
      manifest: null,
      sealedCluster: null,
    }
    const uuid = newPackage.resourceUuid ?? newUuid()
    const pathTaken = new ApiError('SYS.1002', `another software package exists at ${installPath} already`)
    const row = await this.add(tx, { ...columns, resourceUuid: uuid }, pathTaken)
    await this.kindOf(row)?.claim(tx, row)
    return row
  }

  /** The caller's own unfinished upload with this key to the same path, which a closed tab resumes. */
  async findResumable(
    tx: Tx,
    caller: Caller,
    key: string,
    place: Pick<NewPackage, 'hostUuid' | 'backupStorageUuid' | 'installPath'>,
  ) {
    for (const upload of await this.#deps.uploads.findOpen(tx, caller, key)) {
      const row = await this.find(upload.packageUuid, tx)
      const isSame =
        row?.status === 'Uploading' &&
        row.installPath === place.installPath &&
        row.hostUuid === (place.hostUuid ?? null) &&
        row.backupStorageUuid === (place.backupStorageUuid ?? null)
      if (row && isSame) return { ...upload, row }
    }
    return undefined
  }

  /** The record stays until it is deleted; the files are removed. */
  async uploadFailed(tx: Tx, uuid: string): Promise<void> {
    await this.#deps.uploads.end(tx, uuid)
    await this.#deps.tags.detach(tx, uuid, 'uploadUrl')
    await this.update(tx, uuid, { status: 'UploadFailed' })
  }

  /** A repeated upload replaces the record of the failed one. */
  async removeFailedUpload(tx: Tx, uuid: string): Promise<void> {
    if ((await this.find(uuid, tx))?.status !== 'UploadFailed') return
    await this.#deps.jobs.refuseBusy(tx, uuid)
    await this.remove(tx, uuid)
  }

  /** False also for a package of another Wharf, whose upload may still run. */
  async isUploadEnded(uuid: string): Promise<boolean> {
    const row = await this.find(uuid)
    return row !== undefined && row.status !== 'Uploading'
  }

  /** Starts an action that the current status allows; any other status is refused. */
  async startAction(tx: Tx, uuid: string, action: keyof typeof allowed, to: PackageStatus): Promise<void> {
    const before = await this.get(uuid, tx)
    const from: readonly PackageStatus[] = allowed[action]
    const lastOpDate = this.clock.now()
    if (!(await this.#store.updateStatus(tx, uuid, { from, to, lastOpDate }))) throw wrongStatus(before, action)
    await this.publish(tx, 'Updated', uuid)
  }

  /** For an action that does not change the status while it runs. */
  requireStatus(row: PackageRow, action: keyof typeof allowed): void {
    const from: readonly PackageStatus[] = allowed[action]
    if (!from.includes(row.status)) throw wrongStatus(row, action)
  }

  /** A package that another record runs on can be neither deleted nor uninstalled. */
  async refuseReferenced(tx: Tx, { uuid, name, status }: PackageRow, code: 'SYS.1004' | 'SYS.1006'): Promise<void> {
    if (status === 'Initializing') throw new ApiError(code, `software package ${name} is being initialised`)
    for (const referrer of this.#referrers) {
      const found = await referrer(tx, uuid)
      if (found) throw new ApiError(code, `${found} runs on software package ${name}; remove it first`)
    }
  }

  /** The contents of wharf.json. */
  manifestOf(row: PackageRow): PackageManifest {
    return manifestOf(row)
  }

  /** Runs a program of the package on its host and returns its result. `isShared`: in parallel to other hooks of it. */
  async runHook(
    context: JobContext,
    row: PackageRow,
    name: string,
    hook: PackageHook,
    input: object,
    { secretResult, isShared = false }: { secretResult?: string; isShared?: boolean } = {},
  ) {
    const { driver } = await this.#deps.hosts.usable(row.hostUuid ?? '')
    const subject = isShared ? undefined : row.uuid
    const files = expectedFiles(row, hook.run)
    return runHook(context, { driver, hook, name, folder: folderOf(row), input, files, subject, secretResult })
  }

  /** For the undo of a job: ends a hook that an earlier owner started, which runs until this node reaches the host. */
  async endEarlierHooks(uuid: string, { signal, hostUuid }: { signal: AbortSignal; hostUuid?: string }): Promise<void> {
    if ((currentOwnership()?.fence ?? 1) === 1) return
    const found = (await this.get(uuid)).hostUuid ?? hostUuid
    if (found === undefined) return
    const driver = await this.#deps.hosts.drivers.of(await this.#deps.hosts.get(found))
    await driver.endHooks(uuid, { signal })
  }

  /** Packages on a host that can run a cluster there, the newest first. */
  async listClusterPackages(): Promise<PackageRow[]> {
    const rows = await this.#store.listClusterCandidates()
    return rows.filter((row) => manifestOf(row).cluster !== undefined)
  }

  /** An installed package that can check a component at this port, on a host that the caller may work on. */
  async findClusterCheck(at: { apiPort: number; role: Role | undefined }): Promise<PackageRow | undefined> {
    for (const row of await this.listClusterPackages()) {
      const { check, apiPort = defaultApiPort } = manifestOf(row).cluster ?? {}
      if (check === undefined || apiPort !== at.apiPort) continue
      const host = await this.#deps.hosts.get(row.hostUuid ?? '')
      if (this.#isUsable(host) && canWorkOn(host, at)) return row
    }
    return undefined
  }

  #isUsable(host: HostRow): boolean {
    return host.state === 'Enabled' && host.status === 'Connected' && !this.#deps.hosts.isElsewhere(host)
  }

  /** For the console's installation form. */
  async configSchema(uuid: string) {
    const row = await this.get(uuid)
    const manifest = row.manifest === null ? undefined : manifestOf(row)
    return {
      configSchema: manifest?.config ?? null,
      backupStorageUuid: row.backupStorageUuid,
      canFormCluster: manifest?.cluster?.initialise !== undefined,
    }
  }

  /** The usage of a folder on the machine of this node. */
  async directoryUsage(nodeUuid: string, directoryPath: string) {
    const folder = normalizeDirectory(directoryPath)
    await this.requireNode(nodeUuid)
    return this.#deps.hosts.usageHere(folder)
  }

  /** Forwards work that only the named node can do. */
  async requireNode(uuid: string): Promise<void> {
    if (uuid === this.#deps.nodeUuid) return
    if (!(await new NodeStore(this.database).find(uuid))) throw notFound('management node', uuid)
    throw new WrongNodeError(uuid, `this needs management node ${uuid}`)
  }

  override async remove(tx: Tx, uuid: string): Promise<void> {
    const row = await this.get(uuid, tx)
    await this.kindOf(row)?.deleted(tx, row)
    await this.#deps.uploads.end(tx, uuid)
    await this.#deps.tags.detachAll(tx, uuid)
    await super.remove(tx, uuid)
  }
}

const wrongStatus = ({ name, status }: PackageRow, action: keyof typeof allowed): ApiError =>
  new ApiError(
    'SYS.1005',
    `software package ${name} is ${status}; to ${action} it, it must be ${allowed[action].join(' or ')}`,
  )
