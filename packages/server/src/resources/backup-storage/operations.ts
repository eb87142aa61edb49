import {
  addBackupStorage,
  BackupStorageInventory,
  changeBackupStorageState,
  deleteBackupStorage,
  getBackupStorage,
  queryBackupStorage,
  reconnectBackupStorage,
} from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { type Binding, handle, start } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { JobService } from '../../jobs/service.ts'
import type { TagService } from '../tags/service.ts'
import { addBackupStorageJob, shown } from './jobs.ts'
import type { BackupStorageService } from './service.ts'

interface Parts {
  queries: Queries
  backupStorage: BackupStorageService
  jobs: JobService
  tags: TagService
}

export function backupStorageOperations({ queries, backupStorage, jobs, tags }: Parts): Binding[] {
  const adding = addBackupStorageJob({ backupStorage, tags })
  jobs.runner.register(adding)
  return [
    start(addBackupStorage, async ({ fields, tags: sent, job: request, commit }) => {
      const checked = await backupStorage.check(fields)
      return commit(async (tx) => {
        const { uuid, managementNodeUuid } = await backupStorage.create(tx, checked)
        const { tagUuids, hostKeyFingerprint } = fields
        await tags.attach(tx, { resourceUuid: uuid, resourceType: 'BackupStorage', tags: sent, tagUuids })
        return jobs.enqueue(tx, adding, {
          request,
          subjectUuid: uuid,
          input: { storageUuid: uuid, hostKeyFingerprint },
          // only the node that has the folder can try it
          managementNodeUuid: managementNodeUuid ?? undefined,
        })
      })
    }),
    handle(changeBackupStorageState, ({ path, fields, commit }) =>
      commit(async (tx) => ({ inventory: shown(await backupStorage.changeState(tx, path.uuid, fields.stateEvent)) })),
    ),
    handle(reconnectBackupStorage, async ({ path, commit }) => {
      const inventory = shown(await backupStorage.reconnect(path.uuid))
      return commit(async () => ({ inventory }))
    }),
    handle(deleteBackupStorage, ({ path, commit }) =>
      commit(async (tx) => {
        await backupStorage.delete(tx, path.uuid)
        await tags.detachAll(tx, path.uuid)
        return {}
      }),
    ),
    ...queryBindings(
      queries,
      collection({ table: 'backupStorage', inventory: BackupStorageInventory }),
      queryBackupStorage,
      getBackupStorage,
    ),
  ]
}
