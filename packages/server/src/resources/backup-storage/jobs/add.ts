import { addBackupStorage } from '@wharf/contract'
import type { Caller } from '../../../calls/caller.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { refuseForScope, requireOwnKey } from '../../../calls/own-credentials.ts'
import type { JobContext } from '../../../jobs/definition.ts'
import { firstConnectionJob } from '../../../records/first-connection-job.ts'
import type { TagService } from '../../tags/service.ts'
import type { NewStorage } from '../new-storage.ts'
import { pinHostKey } from '../pin-host-key.ts'
import type { BackupStorageService } from '../service.ts'
import type { BackupStorageRow } from '../store.ts'

interface Input {
  /** The subject of the job; nodes of version 1.0 read it here. */
  storageUuid: string
  hostKeyFingerprint?: string | undefined
}

interface AddBackupStorageDeps {
  readonly backupStorage: BackupStorageService
  readonly tags: TagService
}

/** Adding a storage tests it. */
export const addBackupStorageJob = ({
  backupStorage,
  tags,
}: AddBackupStorageDeps): JobOperation<typeof addBackupStorage, Input, BackupStorageRow> => ({
  operation: addBackupStorage,
  async start({ fields, tags: sent, caller, commit }, enqueue) {
    const checked = await backupStorage.check(fields)
    requireOwnConnection(fields, caller)
    return commit(async (tx) => {
      // only the node of a folder can test it
      const { uuid, managementNodeUuid } = await backupStorage.create(tx, checked)
      const { tagUuids, hostKeyFingerprint } = fields
      await tags.attach(tx, { resourceUuid: uuid, resourceType: 'BackupStorage', tags: sent, tagUuids })
      const input = { storageUuid: uuid, hostKeyFingerprint }
      return enqueue(tx, { subject: { uuid, name: fields.name }, host: null, input, managementNodeUuid })
    })
  },
  ...firstConnectionJob({
    records: backupStorage,
    tags,
    inventoryOf: (row: BackupStorageRow) => row,
    pin: (row: BackupStorageRow, context: JobContext<Input>) =>
      pinHostKey(row, context, backupStorage, context.input.hostKeyFingerprint),
    connect: {
      name: 'try',
      async run(row, { signal }) {
        const driver = await backupStorage.drivers.of(row)
        await driver.check({ signal })
        return driver.usage({ signal })
      },
    },
  }),
})

function requireOwnConnection({ type, privateKey }: NewStorage, caller: Caller): void {
  if (type === 'sftp') requireOwnKey(caller, privateKey)
  const remedy = 'use type sftp or s3 with credentials of your own'
  if (type === 'folder') refuseForScope(caller, 'type: folder is a folder of a management node', remedy)
}
