import {
  getDirectoryUsage,
  getSoftwarePackage,
  getSoftwarePackageConfig,
  getSoftwarePackageConfigSchema,
  querySoftwarePackage,
} from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { JobDefinition } from '../../jobs/definition.ts'
import { deleteJob } from './jobs/delete.ts'
import { installJob } from './jobs/install.ts'
import type { PackageJobDeps } from './jobs/package-job-deps.ts'
import type { UploadInput } from './jobs/receive-package.ts'
import { rollBackJob } from './jobs/roll-back.ts'
import { followUploads } from './jobs/start-upload.ts'
import { uninstallJob } from './jobs/uninstall.ts'
import { upgradeJob } from './jobs/upgrade.ts'
import { uploadToHostJob } from './jobs/upload-to-host.ts'
import { uploadToStorageJob } from './jobs/upload-to-storage.ts'
import { verifyJob } from './jobs/verify.ts'
import { shownPackages } from './shown-package.ts'

export function softwarePackageOperations(deps: PackageJobDeps & { readonly queries: Queries }): Binding[] {
  const { jobs, packages, queries } = deps
  const toHost = uploadToHostJob(deps)
  const toStorage = uploadToStorageJob(deps)
  followUploads(deps, {
    toHost: toHost as JobDefinition<UploadInput>,
    toStorage: toStorage as JobDefinition<UploadInput>,
  })
  return [
    bindJob(jobs, toHost),
    bindJob(jobs, toStorage),
    bindJob(jobs, installJob(deps)),
    bindJob(jobs, uninstallJob(deps)),
    bindJob(jobs, deleteJob(deps)),
    bindJob(jobs, upgradeJob(deps)),
    bindJob(jobs, rollBackJob(deps)),
    bindJob(jobs, verifyJob(deps)),
    handle(getSoftwarePackageConfigSchema, ({ path }) => packages.configSchema(path.uuid)),
    handle(getSoftwarePackageConfig, async ({ path }) => ({
      config: packages.configs.shown(await packages.get(path.uuid)),
    })),
    handle(getDirectoryUsage, ({ fields }) => packages.directoryUsage(fields.managementNodeUuid, fields.directoryPath)),
    ...queryBindings(queries, querySoftwarePackage, getSoftwarePackage, { records: shownPackages }),
  ]
}
