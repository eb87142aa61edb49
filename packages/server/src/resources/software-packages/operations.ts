import {
  deleteSoftwarePackage,
  getDirectoryUsage,
  getSoftwarePackage,
  getSoftwarePackageConfigSchema,
  installSoftwarePackage,
  querySoftwarePackage,
  uninstallSoftwarePackage,
  uploadSoftwarePackage,
  uploadSoftwarePackageToBackupStorage,
} from '@wharf/contract'
import { type Binding, handle, start } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { SoftwarePackageService } from './service.ts'
import { shownPackages } from './shown-package.ts'
import type { PackageStarting } from './starting.ts'
import type { UploadStarting } from './upload-starting.ts'

interface Parts {
  readonly queries: Queries
  readonly packages: SoftwarePackageService
  readonly uploading: UploadStarting
  readonly starting: PackageStarting
}

/** Every call of the resource; what it takes to begin each of them stands in upload-starting.ts and starting.ts. */
export function softwarePackageOperations({ queries, packages, uploading, starting }: Parts): Binding[] {
  return [
    start(uploadSoftwarePackage, (call) => uploading.uploadToHost(call, call.fields)),
    start(uploadSoftwarePackageToBackupStorage, (call) => uploading.uploadToStorage(call, call.fields)),
    start(installSoftwarePackage, (call) => starting.install(call, call.path.uuid, call.fields.config)),
    start(uninstallSoftwarePackage, (call) => starting.uninstall(call, call.path.uuid)),
    start(deleteSoftwarePackage, (call) =>
      starting.delete(call, call.path.uuid, call.fields.deleteMode ?? 'Permissive'),
    ),
    handle(getSoftwarePackageConfigSchema, ({ path }) => packages.configSchema(path.uuid)),
    handle(getDirectoryUsage, ({ fields }) => packages.directoryUsage(fields.managementNodeUuid, fields.directoryPath)),
    ...queryBindings(queries, shownPackages, querySoftwarePackage, getSoftwarePackage),
  ]
}
