import type { PackageHook, PackageManifest } from '@wharf/archives/manifest.ts'
import { allowed, type PackageStatus, type Role } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { inBatches } from '@wharf/database/in-batches.ts'
import { ApiError, invalid, type Mention, notFound } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { Caller } from '../../calls/caller.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { currentOwnership } from '../../jobs/ownership.ts'
import type { JobService } from '../../jobs/service.ts'
import { canWorkOn, type HostRow, type HostService } from '../hosts/service.ts'
import { NodeStore } from '../management-nodes/service.ts'
import type { TagService } from '../tags/service.ts'
import type { UploadService } from '../uploads/service.ts'
import { manifestOf } from './configuration.ts'
import { expectedFiles } from './hook-files.ts'
import { folderOf, runHook } from './hooks.ts'
import { normalizeDirectory } from './install-path.ts'
import { type InstallationDeps, Installations, notVerified } from './installations.ts'
import type { PackageKind } from './package-kind.ts'
import { type PackageRow, PackageStore } from './store.ts'

export type { PackageManifest } from '@wharf/archives/manifest.ts'
export { notVerified } from './installations.ts'
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
  /** The release that its bytes come from. */
  readonly releaseUuid?: string | undefined
}

interface SoftwarePackageDeps extends InstallationDeps {
  readonly tags: TagService
  readonly uploads: UploadService
  readonly hosts: HostService
  readonly jobs: Pick<JobService, 'refuseBusy' | 'listActive'>
  readonly nodeUuid: string
}

/** The records of packages, and the rules of their status. */
export class SoftwarePackageService extends Installations {
  readonly #deps: SoftwarePackageDeps
  readonly #store: PackageStore
  readonly #kinds = new Map<string, PackageKind>()
  readonly #referrers: ((tx: Tx, uuid: string) => Promise<Mention | undefined>)[] = []

  constructor(deps: SoftwarePackageDeps) {
    super(deps)
    this.#deps = deps
    this.#store = new PackageStore(deps.database)
  }

  /** Called once at startup by another resource that uses packages of this type. */
  addKind(kind: PackageKind): void {
    this.#kinds.set(kind.type, kind)
  }

  /** Called once at startup; `referrer` returns the record that runs on a package, such as `cluster plugin a`. */
  addReferrer(referrer: (tx: Tx, uuid: string) => Promise<Mention | undefined>): void {
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
      softwareName: null,
      version: null,
      releaseUuid: newPackage.releaseUuid ?? null,
      ...notVerified,
      sha256: null,
      sealedInstallConfig: null,
      sealedCluster: null,
      previousUuid: null,
      supersededDate: null,
      upgradeLock: null,
      nextVerifyDate: null,
    }
    const uuid = newPackage.resourceUuid ?? newSequentialUuid()
    const pathTaken = (): ApiError =>
      new ApiError(
        'SYS.1002',
        `another software package exists at ${installPath} already; choose another path, or delete that package`,
      )
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
    const images = { before: { ...before }, after: { ...before, status: to, lastOpDate } }
    await this.publish(tx, 'Updated', uuid, images)
  }

  /** The package, which no other transaction that locks it deletes or publishes before this one ends. */
  async lock(tx: Tx, uuid: string): Promise<PackageRow> {
    await this.database.lock(tx, `software package ${uuid}`)
    return this.get(uuid, tx)
  }

  /** Before a release is deleted: its packages no longer name it, but those that a host uses; one of them is returned. */
  async leaveRelease(tx: Tx, releaseUuid: string): Promise<{ row: PackageRow; host: string } | undefined> {
    for (const after of await this.#store.clearUnusedRelease(tx, releaseUuid, this.clock.now()))
      await this.publish(tx, 'Updated', after.uuid, { before: { ...after, releaseUuid }, after: { ...after } })
    const row = await this.#store.findOfRelease(tx, releaseUuid)
    if (row === undefined) return undefined
    // the job that installs a package from backup storage records the host when it has started
    const host = row.hostUuid === null ? 'a host' : `host ${(await this.#deps.hosts.get(row.hostUuid, tx)).name}`
    return { row, host }
  }

  /** For an action that does not change the status while it runs. */
  requireStatus(row: PackageRow, action: keyof typeof allowed): void {
    const from: readonly PackageStatus[] = allowed[action]
    if (!from.includes(row.status)) throw wrongStatus(row, action)
  }

  /** A job that works on a package of this host. */
  findWorkOnHost(hostUuid: string, from?: Tx) {
    return this.#findWork('hostUuid', hostUuid, from)
  }

  /** A job that works on a package of this backup storage. */
  findWorkOnStorage(backupStorageUuid: string, from?: Tx) {
    return this.#findWork('backupStorageUuid', backupStorageUuid, from)
  }

  async #findWork(place: 'hostUuid' | 'backupStorageUuid', uuid: string, from?: Tx) {
    const active = await this.#deps.jobs.listActive(from)
    const subjects = active.flatMap(({ subjectUuid }) => subjectUuid ?? [])
    let found: string | undefined
    await inBatches(subjects, async (some) => {
      found ??= (await this.#store.findAmong(some, place, uuid, from))?.uuid
    })
    return found === undefined ? undefined : active.find(({ subjectUuid }) => subjectUuid === found)
  }

  /** The newest packages whose files are on this backup storage. */
  listOnStorage(backupStorageUuid: string, limit: number) {
    return this.#store.listOnStorage(backupStorageUuid, limit)
  }

  /** A package that another record runs on can be neither deleted nor uninstalled. */
  async refuseReferenced(
    tx: Tx,
    { uuid, name, status, upgradeLock }: PackageRow,
    code: 'SYS.1004' | 'SYS.1006',
  ): Promise<void> {
    if (status === 'Initializing')
      throw new ApiError(code, `software package ${name} is being initialised; wait until its job has ended`)
    if (upgradeLock !== null)
      throw new ApiError(code, `an upgrade or a rollback installs software package ${name}; wait until it has ended`)
    for (const referrer of this.#referrers) {
      const found = await referrer(tx, uuid)
      if (found)
        throw new ApiError(code, `${found.text} runs on software package ${name}; remove it first`, {
          mentions: [found],
        })
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
