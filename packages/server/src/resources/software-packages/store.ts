import type { PackageStatus } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type PackageRow = Selectable<Tables['softwarePackages']>

/** A host uses packages of the other statuses: they are being sent to it, or are installed on it. */
const unusedStatuses = ['Uploaded', 'UploadFailed', 'InstallFailed'] as const satisfies readonly PackageStatus[]

/** The queries of packages that `Records` does not have. */
export class PackageStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** False when the package has none of the statuses `from`. */
  async updateStatus(
    tx: Tx,
    uuid: string,
    { from, to, lastOpDate }: { from: readonly PackageStatus[]; to: PackageStatus; lastOpDate: number },
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('softwarePackages')
      .set({ status: to, lastOpDate })
      .where('uuid', '=', uuid)
      .where('status', 'in', from)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Which of these packages is on this host or storage. */
  findAmong(
    uuids: readonly string[],
    place: 'hostUuid' | 'backupStorageUuid',
    placeUuid: string,
    from?: Tx,
  ): Promise<{ uuid: string } | undefined> {
    return (from ?? this.#database.read)
      .selectFrom('softwarePackages')
      .select('uuid')
      .where('uuid', 'in', uuids)
      .where(place, '=', placeUuid)
      .executeTakeFirst()
  }

  listOnStorage(uuid: string, limit: number): Promise<{ name: string; installPath: string }[]> {
    return this.#database.read
      .selectFrom('softwarePackages')
      .select(['name', 'installPath'])
      .where('backupStorageUuid', '=', uuid)
      .where('status', 'not in', ['Uploading', 'UploadFailed'])
      .orderBy('createDate', 'desc')
      .limit(limit)
      .execute()
  }

  /** Returns the packages that it has changed. */
  clearUnusedRelease(tx: Tx, releaseUuid: string, lastOpDate: number): Promise<PackageRow[]> {
    return tx
      .updateTable('softwarePackages')
      .set({ releaseUuid: null, lastOpDate })
      .where('releaseUuid', '=', releaseUuid)
      .where('status', 'in', unusedStatuses)
      .returningAll()
      .execute()
  }

  findOfRelease(tx: Tx, releaseUuid: string): Promise<PackageRow | undefined> {
    return tx
      .selectFrom('softwarePackages')
      .selectAll()
      .where('releaseUuid', '=', releaseUuid)
      .orderBy('uuid')
      .limit(1)
      .executeTakeFirst()
  }

  listVersions(hostUuid: string, softwareName: string, from?: Tx): Promise<PackageRow[]> {
    return (from ?? this.#database.read)
      .selectFrom('softwarePackages')
      .selectAll()
      .where('hostUuid', '=', hostUuid)
      .where('softwareName', '=', softwareName)
      .execute()
  }

  /** On every host. */
  listOnHosts(softwareName: string) {
    return this.#database.read
      .selectFrom('softwarePackages')
      .select([
        'uuid',
        'hostUuid',
        'version',
        'sha256',
        'md5sum',
        'size',
        'status',
        'unzipInstallPath',
        'sealedInstallConfig',
      ])
      .where('softwareName', '=', softwareName)
      .where('hostUuid', 'is not', null)
      .execute()
  }

  async isLocked(tx: Tx, upgradeLock: string): Promise<boolean> {
    const found = tx.selectFrom('softwarePackages').select('uuid').where('upgradeLock', '=', upgradeLock)
    return (await found.executeTakeFirst()) !== undefined
  }

  /** Packages that are installed on a host and may be able to run a cluster, the newest first. */
  listClusterCandidates(): Promise<PackageRow[]> {
    return this.#database.read
      .selectFrom('softwarePackages')
      .selectAll()
      .where('status', 'in', ['Installed', 'Initialized', 'InitializeFailed'])
      .where('hostUuid', 'is not', null)
      .where('manifest', 'like', '%"cluster"%')
      .orderBy('createDate', 'desc')
      .execute()
  }
}
