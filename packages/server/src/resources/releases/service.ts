import { posix } from 'node:path'
import { latestRelease, parseReleaseReference, ReleaseInventory, type ReleaseReference } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { Source } from '@wharf/downloads/download.ts'
import { ApiError, invalid, type Mention } from '@wharf/platform/api-error.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'
import type { PackageRow, SoftwarePackageService } from '../software-packages/service.ts'
import type { TagService } from '../tags/service.ts'
import { checkPublishable } from './publishable.ts'
import { type ReleaseRow, ReleaseStore } from './store.ts'

export type { ReleaseRow } from './store.ts'

const resourceType = 'Release'

interface ReleaseDeps extends RecordDeps {
  readonly packages: SoftwarePackageService
  readonly backupStorage: BackupStorageService
  readonly tags: TagService
}

interface NewRelease {
  readonly packageUuid: string
  readonly sha256: string
  readonly description?: string | undefined
  readonly resourceUuid?: string | undefined
  readonly tagUuids?: readonly string[] | undefined
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
}

const titleOf = ({ name, version }: Pick<ReleaseRow, 'name' | 'version'>): string => `release ${name} ${version}`

const lockOf = (uuid: string): string => `release ${uuid}`

/** Versions of software. A release never changes but for its state. */
export class ReleaseService extends Records<ReleaseRow> {
  readonly #deps: ReleaseDeps
  readonly #store: ReleaseStore
  readonly #users: ((tx: Tx, uuid: string) => Promise<Mention | undefined>)[] = []

  constructor(deps: ReleaseDeps) {
    super(deps, { inventory: ReleaseInventory })
    this.#deps = deps
    this.#store = new ReleaseStore(deps.database)
  }

  /** Called once at startup; `user` returns a record that names a release, such as `rollout a`. */
  addUser(user: (tx: Tx, uuid: string) => Promise<Mention | undefined>): void {
    this.#users.push(user)
  }

  /** The release with this uuid, or with this `name@version`; `name@latest` is the latest Published one. `field` is named in the refusal of any other text. */
  async resolve(reference: string, field = 'releaseUuid'): Promise<ReleaseRow> {
    const parsed = parseReleaseReference(reference)
    if (parsed === undefined)
      throw invalid(`${field} must be the uuid of a release, or its name and version, such as hello@1.1.0`)
    return this.getReferred(parsed)
  }

  async getReferred(reference: ReleaseReference): Promise<ReleaseRow> {
    if ('uuid' in reference) return this.get(reference.uuid)
    const { name, version } = reference
    const found = (await this.#store.findVersion(name, version)) ?? (await this.#findLatest(name, version))
    if (found === undefined) throw new ApiError('SYS.1003', `there is no ${titleOf(reference)}; publish it first`)
    return found
  }

  /** `name@latest`, unless a version has that name itself. */
  async #findLatest(name: string, version: string): Promise<ReleaseRow | undefined> {
    return version === 'latest' ? latestRelease(await this.#store.listPublished(name)) : undefined
  }

  /** It is sent to no further host. */
  refuseRetired(release: ReleaseRow): void {
    if (release.state === 'Retired')
      throw new ApiError(
        'SYS.1006',
        `${titleOf(release)} is Retired: hosts can be rolled back to it, but it is not sent to further hosts; use a Published release`,
      )
  }

  /** The release, which is neither retired nor deleted before the transaction ends. */
  async lock(tx: Tx, uuid: string): Promise<ReleaseRow> {
    await this.database.lock(tx, lockOf(uuid))
    return this.get(uuid, tx)
  }

  /** The bytes of a release, from backup storage. */
  async open(reference: ReleaseReference, { signal }: { signal: AbortSignal }): Promise<Source> {
    const { softwarePackageUuid, size } = await this.getReferred(reference)
    const { installPath, backupStorageUuid } = await this.#deps.packages.get(softwarePackageUuid)
    const { driver } = await this.#deps.backupStorage.usable(backupStorageUuid ?? '')
    return { stream: driver.get(installPath, { signal }), size, fileName: posix.basename(installPath) }
  }

  /** Refuses a package that cannot be published. */
  check(row: PackageRow) {
    return checkPublishable(row, { isKind: this.#deps.packages.kindOf(row) !== undefined })
  }

  /** The new release, or the existing one with the same name, version and bytes. */
  async publishPackage(tx: Tx, newRelease: NewRelease): Promise<ReleaseRow> {
    const { packages } = this.#deps
    const { packageUuid, sha256 } = newRelease
    const row = await packages.lock(tx, packageUuid)
    const { name, version } = this.check(row)
    const release =
      (await this.findLocked(tx, name, version)) ??
      (await this.#create(tx, row, newRelease)) ??
      // another node has published it since
      (await this.findLocked(tx, name, version))
    if (release === undefined)
      throw new ApiError(
        'SYS.1002',
        `${titleOf({ name, version })} was published and deleted at the same time; repeat the call`,
      )
    if (release.sha256 !== sha256)
      throw new ApiError(
        'SYS.1002',
        `${titleOf(release)} already exists with the SHA-256 ${release.sha256}, but software package ${row.name} has ${sha256}; a release never changes: publish other bytes under another version`,
      )
    // a node of an older version records neither the name nor the version
    if (row.releaseUuid !== release.uuid || row.sha256 !== sha256)
      await packages.update(tx, row.uuid, { releaseUuid: release.uuid, sha256, softwareName: name, version })
    return release
  }

  /** The release of this name and version, which is neither retired nor deleted before the transaction ends. */
  async findLocked(tx: Tx, name: string, version: string): Promise<ReleaseRow | undefined> {
    const found = await this.#store.findVersion(name, version, tx)
    if (found === undefined) return undefined
    await this.database.lock(tx, lockOf(found.uuid))
    return this.find(found.uuid, tx)
  }

  /** Undefined when its name and version already exist. */
  async #create(tx: Tx, row: PackageRow, newRelease: NewRelease): Promise<ReleaseRow | undefined> {
    const { sha256, description = null, resourceUuid, tags, tagUuids } = newRelease
    const { name, version, type } = this.check(row)
    const columns = {
      name,
      version,
      type,
      sha256,
      md5sum: row.md5sum ?? '',
      size: row.size,
      softwarePackageUuid: row.uuid,
      backupStorageUuid: row.backupStorageUuid ?? '',
      description,
      state: 'Published' as const,
      ...(resourceUuid === undefined ? {} : { resourceUuid }),
    }
    const isTaken = new ApiError('SYS.1002', `${titleOf(columns)} already exists`)
    try {
      const release = await this.add(tx, columns, () => isTaken)
      await this.#deps.tags.attach(tx, { resourceUuid: release.uuid, resourceType, tags, tagUuids })
      return release
    } catch (error) {
      if (error !== isTaken) throw error
      return undefined
    }
  }

  async retire(tx: Tx, uuid: string): Promise<ReleaseRow> {
    const { state } = await this.lock(tx, uuid)
    if (state !== 'Retired') await this.update(tx, uuid, { state: 'Retired' })
    return this.get(uuid, tx)
  }

  /** Refused while a host has it installed or a rollout names it. */
  override async remove(tx: Tx, uuid: string): Promise<void> {
    const { packages, tags } = this.#deps
    const release = await this.lock(tx, uuid)
    for (const user of this.#users) {
      const found = await user(tx, uuid)
      if (found)
        throw new ApiError(
          'SYS.1004',
          `${found.text} names ${titleOf(release)}; delete it first, or retire the release instead`,
          { mentions: [found] },
        )
    }
    const used = await packages.leaveRelease(tx, uuid)
    if (used !== undefined) {
      const { row, host } = used
      const [state, remedy] =
        row.status === 'Uploading' ? ['being sent to', 'wait for the upload'] : ['installed on', 'uninstall it there']
      throw new ApiError(
        'SYS.1004',
        `${titleOf(release)} is ${state} ${host}, as software package ${row.name}; ${remedy}, or retire the release instead`,
        { mentions: [{ uuid: row.uuid, text: `${host}, as software package ${row.name}` }] },
      )
    }
    await tags.detachAll(tx, uuid)
    await super.remove(tx, uuid)
  }

  /** The bytes of a release are those of its package. */
  async refuseDeletionOf(tx: Tx, { uuid, name }: PackageRow): Promise<void> {
    const release = await this.#store.findOfPackage(tx, uuid)
    if (release !== undefined)
      throw new ApiError(
        'SYS.1004',
        `software package ${name} contains the bytes of ${titleOf(release)}; delete the release first`,
      )
  }
}
