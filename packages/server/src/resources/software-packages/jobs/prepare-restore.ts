import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostRow } from '../../hosts/service.ts'
import type { ReleaseRow } from '../../releases/service.ts'
import type { PackageRow } from '../store.ts'
import { hasBytesOf, upgradeLockOf } from '../versions.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import { createVersion } from './prepare-upgrade.ts'
import type { UploadInput } from './receive-package.ts'
import type { Replacement } from './replace-version.ts'

/** A version that a host had, and the configuration that it had there. */
export interface EarlierVersion extends Pick<PackageRow, 'version' | 'sha256' | 'md5sum' | 'size'> {
  readonly config: unknown
}

export interface RestoreTarget {
  /** The installed version that it replaces; undefined when none is installed. */
  readonly own: PackageRow | undefined
  readonly host: HostRow
  readonly softwareName: string
  /** The record of the earlier version, which may be deleted. */
  readonly previousUuid: string
  /** Undefined when it is known only from its record. */
  readonly previous: EarlierVersion | undefined
}

export interface RestoreInput extends Replacement, Omit<UploadInput, 'origin'> {
  /** The release to send when the host no longer has the files; null when none has these bytes. */
  readonly origin: UploadInput['origin'] | null
}

/** The statuses of a version that an upgrade has left on its host. */
const keptStatuses: readonly PackageRow['status'][] = ['Uploaded', 'InstallFailed']

/** In the commit that enqueues the job: the record of the earlier version, a new one if it is deleted, and the input of the job. */
export async function prepareRestore(tx: Tx, target: RestoreTarget, deps: PackageJobDeps) {
  const { packages, backupStorage, jobs } = deps
  const { own, host, softwareName } = target
  const kept = await findKept(tx, target, deps)
  const earlier = target.previous ?? (kept && { ...kept, config: packages.configs.open(kept)?.config ?? {} })
  if (earlier === undefined) throw missingVersion(host, softwareName)
  const release = await findRelease(tx, softwareName, earlier, deps)
  for (const row of [kept, own]) if (row) await jobs.refuseBusy(tx, row.uuid)
  const lock = upgradeLockOf(host.uuid, softwareName)
  await packages.refuseLocked(tx, lock)
  const storage = release && (await backupStorage.get(release.backupStorageUuid, tx))
  if (kept === undefined && storage) backupStorage.refuseUnusable(storage)
  if (kept === undefined && release === undefined) throw missingVersion(host, `${softwareName} ${earlier.version}`)
  const row = kept ?? (await createVersion(tx, { from: own, host, release: release as ReleaseRow }, deps))
  await packages.lockVersion(tx, row, lock, {
    ...(kept ? { status: 'Installing' } : {}),
    ...(release ? { releaseUuid: release.uuid } : {}),
  })
  const input: RestoreInput = {
    packageUuid: row.uuid,
    config: earlier.config,
    fromUuid: own?.uuid ?? null,
    fromName: own ? `${softwareName} ${own.version} on host ${host.name}` : `host ${host.name}`,
    isUpgrade: false,
    origin: release ? { url: `release://${release.uuid}` } : null,
    ...(release ? { expected: { sha256: release.sha256 } } : {}),
  }
  const sender = kept === undefined ? storage?.managementNodeUuid : null
  return { input, managementNodeUuid: sender ?? host.managementNodeUuid }
}

async function findKept(
  tx: Tx,
  { previousUuid, host }: RestoreTarget,
  { packages }: PackageJobDeps,
): Promise<PackageRow | undefined> {
  const row = await packages.find(previousUuid, tx)
  const isKept = row?.hostUuid === host.uuid && row.unzipInstallPath !== null && keptStatuses.includes(row.status)
  return isKept ? row : undefined
}

/** A Retired one, too: hosts can be rolled back to it. */
async function findRelease(
  tx: Tx,
  softwareName: string,
  earlier: EarlierVersion,
  { releases }: PackageJobDeps,
): Promise<ReleaseRow | undefined> {
  const release = await releases.findLocked(tx, softwareName, earlier.version ?? '')
  return release && hasBytesOf(earlier, release) ? release : undefined
}

export const missingVersion = ({ name }: Pick<HostRow, 'name'>, version: string): ApiError =>
  new ApiError(
    'SYS.1006',
    `host ${name} no longer has ${version}, and no release has its bytes; publish them again, then roll back again, or upgrade the host to another release`,
  )
