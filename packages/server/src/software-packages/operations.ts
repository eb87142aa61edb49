import {
  deleteSoftwarePackage,
  getDirectoryUsage,
  getSoftwarePackage,
  getSoftwarePackageConfigSchema,
  installSoftwarePackage,
  querySoftwarePackage,
  SoftwarePackageInventory,
  uninstallSoftwarePackage,
  uploadSoftwarePackage,
  uploadSoftwarePackageToBackupStorage,
} from '@wharf/contract'
import { collection } from '../database/query.ts'
import { type Binding, handle, start } from '../http/bind.ts'
import { type Queries, queryBindings } from '../http/query-bindings.ts'
import type { Starting } from './starting.ts'

/** Every call of the resource; what it takes to begin each of them stands in starting.ts. */
export function softwarePackageOperations({ queries, starting }: { queries: Queries; starting: Starting }): Binding[] {
  const packages = collection({ table: 'softwarePackages', inventory: SoftwarePackageInventory })
  return [
    start(uploadSoftwarePackage, (call) => starting.uploadToHost(call, call.fields)),
    start(uploadSoftwarePackageToBackupStorage, (call) => starting.uploadToStorage(call, call.fields)),
    start(installSoftwarePackage, (call) => starting.install(call, call.path.uuid, call.fields.config)),
    start(uninstallSoftwarePackage, (call) => starting.uninstall(call, call.path.uuid)),
    start(deleteSoftwarePackage, (call) =>
      starting.delete(call, call.path.uuid, call.fields.deleteMode ?? 'Permissive'),
    ),
    handle(getSoftwarePackageConfigSchema, ({ path }) => starting.configSchema(path.uuid)),
    handle(getDirectoryUsage, ({ fields }) => starting.directoryUsage(fields.managementNodeUuid, fields.directoryPath)),
    ...queryBindings(queries, packages, querySoftwarePackage, getSoftwarePackage),
  ]
}
