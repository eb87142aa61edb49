import { addBackupStorage } from '@wharf/contract'
import { unreachable } from '@wharf/sftp/connection.ts'
import { isTransientFailure } from '@wharf/ssh/failure.ts'
import { fetchHostKey } from '@wharf/ssh/fetch-host-key.ts'
import type { JobOperation } from '../../calls/job-operation.ts'
import { type JobContext, step } from '../../jobs/definition.ts'
import { retryInJob } from '../../jobs/retry-in-job.ts'
import type { TagService } from '../tags/service.ts'
import { sftpLocation } from './locations.ts'
import type { BackupStorageService } from './service.ts'
import type { BackupStorageRow } from './store.ts'

export interface AddInput {
  storageUuid: string
  hostKeyFingerprint?: string | undefined
}

/** The columns that the steps found. */
type Memory = Partial<BackupStorageRow>

type Context = JobContext<AddInput, Memory>

/** Adding a storage tests it. A storage that fails leaves no record, whichever node ends the job. */
export const addBackupStorageJob = ({
  backupStorage,
  tags,
}: {
  backupStorage: BackupStorageService
  tags: TagService
}): JobOperation<typeof addBackupStorage, AddInput, Memory> => ({
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
  steps: [
    step('pin', (context) => pinHostKey(context, backupStorage)),
    step('try', (context) => checkStorage(context, backupStorage)),
  ],
  async succeeded({ input, memory }, tx) {
    await backupStorage.update(tx, input.storageUuid, { ...memory, status: 'Connected' })
    return { inventory: shown(await backupStorage.get(input.storageUuid, tx)) }
  },
  async failed({ input }, tx) {
    await backupStorage.deleteIfConnecting(tx, input.storageUuid)
    await tags.detachAll(tx, input.storageUuid)
  },
})

/** Only type sftp has a host key. */
async function pinHostKey({ input, signal, write, log }: Context, backupStorage: BackupStorageService): Promise<void> {
  const row = await backupStorage.get(input.storageUuid)
  if (row.type !== 'sftp') return
  const target = { ...sftpLocation(row.url), username: backupStorage.usernameOf(row) }
  const { hostKeyFingerprint: fingerprint } = input
  const hostKey = await retryInJob((attempt) => fetchHostKey(target, { signal, attempt, fingerprint }), {
    signal,
    isTransient: isTransientFailure,
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw unreachable(`backup storage ${row.name}`, error)
  })
  log(`pinned the host key of ${target.address}`)
  await write((tx) => backupStorage.update(tx, row.uuid, { hostKey }))
}

async function checkStorage({ input, signal }: Context, backupStorage: BackupStorageService): Promise<Memory> {
  const row = await backupStorage.get(input.storageUuid)
  const driver = await backupStorage.drivers.of(row)
  await driver.check({ signal })
  return driver.usage({ signal })
}

/** Without the private columns. */
export const shown = ({ hostKey: _, sealedCredentials: __, ...inventory }: BackupStorageRow) => inventory
