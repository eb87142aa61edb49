import {
  createMigrateVmInstance,
  deleteMigrateVmInstance,
  getMigrateImages,
  getMigrateVmInstances,
} from '@wharf/contract'
import { type Binding, handle, start } from '../../calls/bind.ts'
import type { MigrationService } from './service.ts'
import type { MigrationStarting } from './starting.ts'

export function migrationOperations(parts: { migration: MigrationService; starting: MigrationStarting }): Binding[] {
  const { migration, starting } = parts
  return [
    handle(getMigrateImages, () => migration.images()),
    handle(getMigrateVmInstances, (call) => migration.vms(call)),
    start(createMigrateVmInstance, (call) => starting.create(call, call.fields)),
    start(deleteMigrateVmInstance, (call) =>
      starting.delete(call, call.path.uuid, call.fields.deleteMode ?? 'Permissive'),
    ),
  ]
}
