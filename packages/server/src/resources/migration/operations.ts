import { getMigrateImages, getMigrateVmInstances } from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import type { JobService } from '../../jobs/service.ts'
import type { SoftwarePackageService } from '../software-packages/service.ts'
import type { TagService } from '../tags/service.ts'
import { createVmJob } from './jobs/create.ts'
import { deleteVmJob } from './jobs/delete.ts'
import type { MachineDeps } from './machine.ts'

export interface MigrationJobDeps extends MachineDeps {
  readonly packages: SoftwarePackageService
  readonly jobs: JobService
  readonly tags: TagService
}

export function migrationOperations(deps: MigrationJobDeps): Binding[] {
  const { migration, jobs } = deps
  return [
    handle(getMigrateImages, () => migration.images()),
    handle(getMigrateVmInstances, (call) => migration.vms(call)),
    bindJob(jobs, createVmJob(deps)),
    bindJob(jobs, deleteVmJob(deps)),
  ]
}
