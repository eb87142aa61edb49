import { addBackupStorage } from '@wharf/contract'
import { unreachable } from '@wharf/sftp/connection.ts'
import type { JobOperation } from '../../calls/job-operation.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { fetchKeyInJob, reachableJob } from '../../records/reachable-job.ts'
import type { TagService } from '../tags/service.ts'
import { sftpLocation } from './locations.ts'
import type { BackupStorageService } from './service.ts'
import type { BackupStorageRow } from './store.ts'

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
  async start({ fields, tags: sent, commit }, enqueue) {
    const checked = await backupStorage.check(fields)
    return commit(async (tx) => {
      // only the node of a folder can test it
      const { uuid, managementNodeUuid } = await backupStorage.create(tx, checked)
      const { tagUuids, hostKeyFingerprint } = fields
      await tags.attach(tx, { resourceUuid: uuid, resourceType: 'BackupStorage', tags: sent, tagUuids })
      const input = { storageUuid: uuid, hostKeyFingerprint }
      return enqueue(tx, { subject: { uuid, name: fields.name }, input, managementNodeUuid })
    })
  },
  ...reachableJob<BackupStorageRow, Input>({
    records: backupStorage,
    tags,
    pin: (row, context) => pinHostKey(row, context, backupStorage),
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

/** Only type sftp has a host key. */
async function pinHostKey(
  row: BackupStorageRow,
  { input, signal, log }: JobContext<Input>,
  backupStorage: BackupStorageService,
): Promise<{ hostKey: string } | undefined> {
  if (row.type !== 'sftp') return undefined
  const target = { ...sftpLocation(row.url), username: backupStorage.usernameOf(row) }
  const hostKey = await fetchKeyInJob(target, { signal, fingerprint: input.hostKeyFingerprint }).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      throw unreachable(`backup storage ${row.name}`, error)
    },
  )
  log(`pinned the host key of ${target.address}`)
  return { hostKey }
}
