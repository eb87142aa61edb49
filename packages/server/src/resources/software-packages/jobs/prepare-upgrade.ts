import type { upgradeSoftwarePackage } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Call } from '../../../calls/call-context.ts'
import type { HostRow } from '../../hosts/service.ts'
import type { ReleaseRow } from '../../releases/service.ts'
import { configProblems, manifestOf, readConfiguration } from '../configuration.ts'
import { getAuthorisedHost } from '../package-hosts.ts'
import type { PackageRow } from '../store.ts'
import {
  defaultKeepVersions,
  folderBeside,
  hasBytesOf,
  newVersionName,
  newVersionPath,
  upgradeLockOf,
} from '../versions.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import type { UploadInput } from './receive-package.ts'
import type { Replacement } from './replace-version.ts'

export interface UpgradeInput extends Replacement, Omit<UploadInput, 'origin'> {
  /** Null when the host already has the bytes of the release. */
  readonly origin: UploadInput['origin'] | null
  readonly releaseUuid: string
  readonly keepVersions: number
}

/** The host runs its software. */
const installedStatuses: ReadonlySet<PackageRow['status']> = new Set(['Installed', 'Initialized', 'InitializeFailed'])

const field = 'upgradeSoftwarePackage.config'

/** Refuses what can be refused before the job starts. */
export async function validateUpgrade(call: Call<typeof upgradeSoftwarePackage>, deps: PackageJobDeps) {
  const { packages, hosts, releases } = deps
  const from = await packages.get(call.path.uuid)
  const host = await getAuthorisedHost(call, from, deps)
  packages.requireStatus(from, 'upgrade')
  refuseKind(from, deps)
  if (host === undefined) throw new Error(`software package ${from.uuid} is installed without a host`)
  const release = await releases.resolve(call.fields.releaseUuid, 'upgradeSoftwarePackage.releaseUuid')
  refuseOtherSoftware(from, release)
  releases.refuseRetired(release)
  hosts.refuseUnusable(host)
  requireKeptConfig(from, deps)
  const config = await chooseConfig(from, release, call.fields.config, deps)
  return { from, host, release, config }
}

function refuseKind(row: PackageRow, { packages }: PackageJobDeps): void {
  if (packages.kindOf(row))
    throw new ApiError(
      'SoftwarePackage.1101',
      `software package ${row.name} has the type ${row.type}, which cannot be upgraded; uninstall it, then install the other version`,
    )
}

function refuseOtherSoftware(from: PackageRow, release: ReleaseRow): void {
  const { name, type } = manifestOf(from)
  if (release.name !== name)
    throw invalid(
      `upgradeSoftwarePackage.releaseUuid: the release is of ${release.name}, but software package ${from.name} is ${name}; name a release of ${name}`,
    )
  if (release.type !== type)
    throw new ApiError(
      'SoftwarePackage.1101',
      `release ${release.name} ${release.version} has the type ${release.type}, but software package ${from.name} has the type ${type}; name a release of that type`,
    )
}

/** Without it, a failed upgrade or a rollback could not install the earlier version again. */
export function requireKeptConfig(row: PackageRow, { packages }: Pick<PackageJobDeps, 'packages'>): void {
  if (packages.configs.open(row) !== undefined) return
  const problems = configProblems(manifestOf(row), {})
  if (problems.length > 0)
    throw new ApiError(
      'SYS.1006',
      `the configuration of software package ${row.name} is not stored, because an older version of Wharf installed it (${problems.join('; ')}); uninstall it, then install it again`,
    )
}

async function chooseConfig(
  from: PackageRow,
  release: ReleaseRow,
  sent: string | Record<string, unknown> | undefined,
  { packages }: PackageJobDeps,
): Promise<unknown> {
  const manifest = manifestOf(await packages.get(release.softwarePackageUuid))
  if (sent !== undefined) return readConfiguration(manifest, sent, field).value
  const { config } = packages.configs.open(from) ?? { config: {} }
  const problems = configProblems(manifest, config ?? {})
  if (problems.length > 0)
    throw invalid(
      `${field}: the configuration of the installed version does not fit ${release.name} ${release.version} (${problems.join('; ')}); send one that does`,
    )
  return manifest.config === undefined ? config : (config ?? {})
}

interface Target {
  /** The installed version; undefined when none is. */
  readonly from: PackageRow | undefined
  readonly host: HostRow
  readonly release: ReleaseRow
  readonly config: unknown
  readonly keepVersions?: number
}

/** In the commit that enqueues the job: the new version, as a record that no other job uses, and the input of the job. */
export async function prepareUpgrade(tx: Tx, target: Target, deps: PackageJobDeps) {
  const { packages, releases, backupStorage, jobs } = deps
  const { from, host, release, config, keepVersions = defaultKeepVersions } = target
  releases.refuseRetired(await releases.lock(tx, release.uuid))
  const versions = await packages.listVersions(host.uuid, release.name, tx)
  const other = versions.find(({ uuid, status }) => uuid !== from?.uuid && installedStatuses.has(status))
  if (other)
    throw new ApiError(
      'SYS.1005',
      `host ${host.name} also has ${release.name} ${other.version ?? ''} installed, as software package ${other.uuid}; uninstall one of them first`,
    )
  const copy = versions.find(
    (one) => one.status === 'Uploaded' && one.unzipInstallPath !== null && hasBytesOf(one, release),
  )
  if (copy) await jobs.refuseBusy(tx, copy.uuid)
  const storage = await backupStorage.get(release.backupStorageUuid, tx)
  if (copy === undefined) backupStorage.refuseUnusable(storage)
  const lock = upgradeLockOf(host.uuid, release.name)
  await packages.refuseLocked(tx, lock)
  const row = copy ?? (await createVersion(tx, target, deps))
  await packages.lockVersion(tx, row, lock, { releaseUuid: release.uuid, ...(copy ? { status: 'Installing' } : {}) })
  const input: UpgradeInput = {
    packageUuid: row.uuid,
    config,
    fromUuid: from?.uuid ?? null,
    fromName: from ? `${release.name} ${from.version} on host ${host.name}` : `host ${host.name}`,
    isUpgrade: true,
    origin: copy ? null : { url: `release://${release.uuid}` },
    expected: { sha256: release.sha256 },
    releaseUuid: release.uuid,
    keepVersions,
  }
  return { input, managementNodeUuid: (copy ? null : storage.managementNodeUuid) ?? host.managementNodeUuid }
}

/** The record of a version that the host does not have. */
export async function createVersion(
  tx: Tx,
  { from, host, release }: Pick<Target, 'from' | 'host' | 'release'>,
  { packages, nodeUuid }: PackageJobDeps,
): Promise<PackageRow> {
  const resourceUuid = newSequentialUuid()
  const { format } = await packages.get(release.softwarePackageUuid, tx)
  return packages.create(tx, {
    resourceUuid,
    name: from ? newVersionName(from, release.version) : release.name,
    type: release.type,
    installPath: newVersionPath(from ? folderBeside(from) : (host.packagesPath ?? ''), {
      ...release,
      uuid: resourceUuid,
      format,
    }),
    hostUuid: host.uuid,
    managementNodeUuid: nodeUuid,
  })
}
