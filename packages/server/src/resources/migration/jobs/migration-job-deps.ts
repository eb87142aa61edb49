import type { JobService } from '../../../jobs/service.ts'
import type { SoftwarePackageService } from '../../software-packages/service.ts'
import type { TagService } from '../../tags/service.ts'
import type { MachineDeps } from '../machine.ts'

export interface MigrationJobDeps extends MachineDeps {
  readonly packages: SoftwarePackageService
  readonly jobs: JobService
  readonly tags: TagService
}
