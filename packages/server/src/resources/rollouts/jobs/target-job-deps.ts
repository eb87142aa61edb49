import type { Clock } from '@wharf/platform/clock.ts'
import type { HostService } from '../../hosts/service.ts'
import type { ReleaseService } from '../../releases/service.ts'
import type { SoftwarePackageService } from '../../software-packages/service.ts'
import type { PackageUpgrades } from '../../software-packages/upgrades/service.ts'
import type { TargetEnd } from '../target-end.ts'

/** What the jobs of targets work with. */
export interface TargetJobDeps {
  readonly clock: Clock
  readonly hosts: HostService
  readonly packages: SoftwarePackageService
  readonly releases: ReleaseService
  readonly upgrades: PackageUpgrades
  readonly ends: TargetEnd
}
