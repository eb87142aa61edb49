import type { JobService } from '../../../jobs/service.ts'
import type { BackupStorageService } from '../../backup-storage/service.ts'
import type { HostService } from '../../hosts/service.ts'
import type { AccountService } from '../../identity/accounts/service.ts'
import type { ReleaseService } from '../../releases/service.ts'
import type { TagService } from '../../tags/service.ts'
import type { UploadService } from '../../uploads/service.ts'
import type { ReleaseCache } from '../release-cache.ts'
import type { SoftwarePackageService } from '../service.ts'
import type { SourceSettings } from '../source.ts'

/** What the jobs of software packages work with. */
export interface PackageJobDeps {
  readonly packages: SoftwarePackageService
  readonly hosts: HostService
  readonly backupStorage: BackupStorageService
  readonly releases: ReleaseService
  readonly uploads: UploadService
  readonly releaseCache: ReleaseCache
  readonly tags: TagService
  readonly accounts: AccountService
  readonly jobs: JobService
  readonly nodeUuid: string
  readonly settings: SourceSettings & { readonly data: string }
}
