import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobDefinition } from '../../../jobs/definition.ts'
import type { HostRow } from '../../hosts/service.ts'
import type { ReleaseRow } from '../../releases/service.ts'
import type { PackageJobDeps } from '../jobs/package-job-deps.ts'
import { type EarlierVersion, prepareRestore, type RestoreInput, type RestoreTarget } from '../jobs/prepare-restore.ts'
import { prepareUpgrade, requireKeptConfig, type UpgradeInput } from '../jobs/prepare-upgrade.ts'
import { type RestoreResults, restoreVersionJob } from '../jobs/restore-version.ts'
import { type UpgradeResults, upgradeJob } from '../jobs/upgrade.ts'
import { verifyJob } from '../jobs/verify.ts'
import type { PackageRow } from '../service.ts'
import { hasBytesOf } from '../versions.ts'

export type { EarlierVersion, RestoreInput } from '../jobs/prepare-restore.ts'
export type { UpgradeInput } from '../jobs/prepare-upgrade.ts'
export type { RestoreResults } from '../jobs/restore-version.ts'
export type { UpgradeResults } from '../jobs/upgrade.ts'

/** A job of one package, without the call that starts it. */
type PackageJob<Input, Results> = Omit<JobDefinition<Input, Results>, 'operation' | 'prepareRetry'>

const current: readonly PackageRow['status'][] = ['Installed', 'Initializing', 'Initialized', 'InitializeFailed']

interface Target {
  /** The installed version; undefined when none is. */
  readonly from: PackageRow | undefined
  readonly host: HostRow
  readonly release: ReleaseRow
  readonly config: unknown
  readonly keepVersions: number
}

/** The parts of upgrades and rollbacks of one package, for a resource that does them on many hosts. */
export class PackageUpgrades {
  readonly #deps: PackageJobDeps

  constructor(deps: PackageJobDeps) {
    this.#deps = deps
  }

  isCurrent({ status }: Pick<PackageRow, 'status'>): boolean {
    return current.includes(status)
  }

  hasBytes(
    row: Pick<PackageRow, 'sha256' | 'md5sum' | 'size'>,
    release: Pick<ReleaseRow, 'sha256' | 'md5sum' | 'size'>,
  ): boolean {
    return hasBytesOf(row, release)
  }

  /** Whether the installed package has this configuration. */
  hasConfig(row: Pick<PackageRow, 'uuid' | 'sealedInstallConfig'>, config: unknown): boolean {
    return isDeepStrictEqual((this.#deps.packages.configs.open(row) ?? { config: {} }).config, config)
  }

  /** The installed version of a piece of software on a host. */
  async findCurrent(tx: Tx, hostUuid: string, softwareName: string): Promise<PackageRow | undefined> {
    const versions = await this.#deps.packages.listVersions(hostUuid, softwareName, tx)
    return versions.find((row) => this.isCurrent(row))
  }

  /** In the commit that enqueues the job. Refuses with SYS.1005 or SYS.1002 while another job works on the software. */
  async prepare(tx: Tx, { from, host, release, config, keepVersions }: Target) {
    const { packages, jobs } = this.#deps
    const versions = await packages.listVersions(host.uuid, release.name, tx)
    for (const { uuid } of versions) await jobs.refuseBusy(tx, uuid)
    if (from) {
      if (from.status !== 'Installed')
        throw new ApiError(
          'SYS.1006',
          `software package ${from.name} is ${from.status}; to replace it, it must be Installed`,
        )
      await packages.refuseReferenced(tx, from, 'SYS.1006')
      requireKeptConfig(from, this.#deps)
    } else if (host.packagesPath === null)
      throw new ApiError('SYS.1006', `the folder for packages on host ${host.name} is not known; reconnect the host`)
    return prepareUpgrade(tx, { from, host, release, config, keepVersions }, this.#deps)
  }

  /** What a rollback needs to install this version again, also when the host no longer has it. */
  describe(row: PackageRow): EarlierVersion {
    const { version, sha256, md5sum, size } = row
    const { config } = this.#deps.packages.configs.open(row) ?? { config: {} }
    return { version, sha256, md5sum, size, config }
  }

  /** In the commit that enqueues the job: an earlier version takes the place of the installed one, if that exists. */
  prepareRestore(tx: Tx, target: RestoreTarget) {
    return prepareRestore(tx, target, this.#deps)
  }

  /** From the transfer of a release to its verification; a failure leaves the host as it was. */
  upgradeJob<Input extends UpgradeInput>(): PackageJob<Input, UpgradeResults> {
    return upgradeJob(this.#deps) as unknown as PackageJob<Input, UpgradeResults>
  }

  /** An earlier version takes the place of the installed one; it is sent when the host no longer has it. */
  restoreJob<Input extends RestoreInput>(): PackageJob<Input, RestoreResults> {
    return restoreVersionJob(this.#deps) as unknown as PackageJob<Input, RestoreResults>
  }

  verifyJob<Input extends { readonly packageUuid: string }>(): PackageJob<Input, Record<never, never>> {
    return verifyJob(this.#deps) as unknown as PackageJob<Input, Record<never, never>>
  }
}
