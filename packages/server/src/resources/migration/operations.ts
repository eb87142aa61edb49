import { getMigrateImages, getMigrateVmInstances } from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import { createVmJob } from './jobs/create.ts'
import { deleteVmJob } from './jobs/delete.ts'
import type { MigrationJobDeps } from './jobs/migration-job-deps.ts'

export function migrationOperations(deps: MigrationJobDeps): Binding[] {
  const { migration, jobs } = deps
  return [
    handle(getMigrateImages, () => migration.images()),
    handle(getMigrateVmInstances, (call) => migration.vms(call)),
    bindJob(jobs, createVmJob(deps)),
    bindJob(jobs, deleteVmJob(deps)),
  ]
}
