import { SoftwarePackageInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { isUniqueViolation } from '@wharf/database/failures.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import { manifestOf } from './configuration.ts'
import { KeptConfigurations } from './kept-configuration.ts'
import { type PackageRow, PackageStore } from './store.ts'

export interface InstallationDeps extends RecordDeps {
  readonly sealing: Sealing
}

/** The length of the field. */
const maxErrorLength = 4096

/** The columns of a package that is not installed. */
export const notVerified = { health: null, healthError: null, lastVerifiedDate: null } as const

export type Health = NonNullable<PackageRow['health']>

/** In the transaction of the change; `row` is the package as it is now. */
export type HealthListener = (tx: Tx, row: PackageRow, before: PackageRow['health']) => Promise<void>

/** What an installation leaves in the record of a package: its configuration, its health, and which version it replaced. */
export class Installations extends Records<PackageRow> {
  readonly configs: KeptConfigurations
  readonly #versions: PackageStore
  readonly #healthListeners: HealthListener[] = []

  constructor(deps: InstallationDeps) {
    super(deps, { inventory: SoftwarePackageInventory })
    this.configs = new KeptConfigurations(deps.sealing)
    this.#versions = new PackageStore(deps.database)
  }

  /** Called once at startup, for a reader of changes of health. */
  onHealthChange(listener: HealthListener): void {
    this.#healthListeners.push(listener)
  }

  /**
   * The result of a verification, or Unknown without one; `error` is why the package is Unhealthy, with secrets masked. Only a
   * change of health is an event.
   */
  async recordHealth(tx: Tx, row: PackageRow, health: Health, error?: ApiError): Promise<void> {
    const healthError = error === undefined ? null : `${error.code} ${error.message}`.slice(0, maxErrorLength)
    const result = { health, healthError }
    const change = health === 'Unknown' ? result : { ...result, lastVerifiedDate: this.clock.now() }
    if (row.health === health) return void (await this.write(tx, row.uuid, change))
    await this.update(tx, row.uuid, change)
    for (const listener of this.#healthListeners) await listener(tx, { ...row, ...change }, row.health)
  }

  /** In the commit that ends an installation: the configuration that took effect is kept, because a rollback needs it. */
  async recordInstalled(tx: Tx, row: PackageRow, config: unknown, more: Partial<PackageRow> = {}): Promise<void> {
    const isVerified = row.manifest !== null && manifestOf(row).verify !== undefined
    await this.update(tx, row.uuid, {
      ...more,
      status: 'Installed',
      health: isVerified ? 'Healthy' : 'Unknown',
      healthError: null,
      lastVerifiedDate: isVerified ? this.clock.now() : null,
      sealedInstallConfig: this.configs.seal(row.uuid, config),
      supersededDate: null,
      nextVerifyDate: null,
    })
  }

  /** In the commit that installs another version in its place; its files and its configuration stay. */
  recordSuperseded(tx: Tx, { uuid }: PackageRow): Promise<void> {
    const supersededDate = this.clock.now()
    return this.update(tx, uuid, { status: 'Uploaded', ...notVerified, supersededDate })
  }

  /** The packages of one piece of software on a host. */
  listVersions(hostUuid: string, softwareName: string, from?: Tx): Promise<PackageRow[]> {
    return this.#versions.listVersions(hostUuid, softwareName, from)
  }

  /** The packages of one piece of software on every host. */
  listOnHosts(softwareName: string) {
    return this.#versions.listOnHosts(softwareName)
  }

  /** For the version that a job installs: one upgrade or rollback of a piece of software on a host at a time. */
  async lockVersion(tx: Tx, row: PackageRow, upgradeLock: string, change: Partial<PackageRow> = {}): Promise<void> {
    await this.refuseLocked(tx, upgradeLock)
    await this.update(tx, row.uuid, { ...change, upgradeLock }).catch((cause: unknown) => {
      throw isUniqueViolation(cause) ? lockedBy(upgradeLock) : cause
    })
  }

  /** Before a record is created for the version: a caller that continues without the job must not leave it behind. */
  async refuseLocked(tx: Tx, upgradeLock: string): Promise<void> {
    if (await this.#versions.isLocked(tx, upgradeLock)) throw lockedBy(upgradeLock)
  }
}

const lockedBy = (upgradeLock: string): ApiError =>
  new ApiError(
    'SYS.1002',
    `another job installs ${upgradeLock.slice(upgradeLock.indexOf(' ') + 1)} on the same host; wait until it has ended`,
  )
