import {
  BackupStorageInventory,
  changeBackupStorageState,
  deleteBackupStorage,
  getBackupStorage,
  queryBackupStorage,
  reconnectBackupStorage,
} from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { JobService } from '../../jobs/service.ts'
import { failureColumns } from '../../records/connection-status.ts'
import type { TagService } from '../tags/service.ts'
import { addBackupStorageJob } from './jobs/add.ts'
import { type StoredPackages, updateBackupStorageJob } from './jobs/update.ts'
import type { BackupStorageService } from './service.ts'

interface BackupStorageOperationDeps {
  queries: Queries
  backupStorage: BackupStorageService
  jobs: JobService
  tags: TagService
  packages: StoredPackages
}

export function backupStorageOperations(deps: BackupStorageOperationDeps): Binding[] {
  const { queries, backupStorage, jobs, tags } = deps
  return [
    bindJob(jobs, addBackupStorageJob({ backupStorage, tags })),
    bindJob(jobs, updateBackupStorageJob(deps)),
    handle(changeBackupStorageState, ({ path, fields, commit }) =>
      commit(async (tx) => ({ inventory: await backupStorage.changeState(tx, path.uuid, fields.stateEvent) })),
    ),
    handle(reconnectBackupStorage, async ({ path, commit }) => {
      const inventory = await backupStorage.reconnect(path.uuid)
      return commit(async () => ({ inventory }))
    }),
    handle(deleteBackupStorage, ({ path, commit }) =>
      commit(async (tx) => {
        await backupStorage.delete(tx, path.uuid)
        await tags.detachAll(tx, path.uuid)
        return {}
      }),
    ),
    ...queryBindings(queries, queryBackupStorage, getBackupStorage, {
      records: collection(BackupStorageInventory, { columns: failureColumns }),
    }),
  ]
}
