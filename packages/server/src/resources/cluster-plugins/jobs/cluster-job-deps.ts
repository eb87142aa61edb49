import type { Cidr } from '@wharf/platform/cidr.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'
import type { JobService } from '../../../jobs/service.ts'
import type { AlertPlatformService } from '../../alerts/service.ts'
import type { HostService } from '../../hosts/service.ts'
import type { SoftwarePackageService } from '../../software-packages/service.ts'
import type { TagService } from '../../tags/service.ts'
import type { ClusterPluginService } from '../service.ts'

/** What the jobs of cluster plugins work with. */
export interface ClusterJobDeps {
  readonly plugins: ClusterPluginService
  readonly packages: SoftwarePackageService
  readonly platforms: AlertPlatformService
  readonly hosts: HostService
  readonly tags: TagService
  readonly jobs: JobService
  readonly ownAddress: ServerAddress
  readonly settings: {
    readonly downloadAllow: readonly Cidr[]
    readonly componentHttp: readonly Cidr[]
    readonly caFile?: string | undefined
  }
}
