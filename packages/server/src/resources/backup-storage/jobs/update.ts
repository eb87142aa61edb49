import { updateBackupStorage } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { refuseForScope } from '../../../calls/own-credentials.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import type { NewStorage } from '../new-storage.ts'
import { pinHostKey } from '../pin-host-key.ts'
import type { BackupStorageService } from '../service.ts'
import { changesConnection, type StorageChange, untestedColumns } from '../storage-change.ts'
import type { BackupStorageRow } from '../store.ts'

/** What is on a storage, from the service of software packages. */
export interface StoredPackages {
  findWorkOnStorage(uuid: string, from?: Tx): Promise<{ uuid: string; operation: string } | undefined>
  /** The newest that are complete. */
  listOnStorage(uuid: string, limit: number): Promise<{ name: string; installPath: string }[]>
}

interface UpdateBackupStorageDeps {
  readonly backupStorage: BackupStorageService
  readonly packages: StoredPackages
}

interface Input {
  readonly change: StorageChange
  /** With the credentials that it would have. */
  readonly storage: NewStorage
}

/** Enough to recognise a storage; each takes a request. */
const probedPackages = 10

/** A name and a description are stored at once; another url or credential is tested first, and must lead to the same packages. */
export const updateBackupStorageJob = (
  deps: UpdateBackupStorageDeps,
): JobOperation<typeof updateBackupStorage, Input, Partial<BackupStorageRow>> => ({
  operation: updateBackupStorage,
  async start({ path: { uuid }, fields, caller, commit }, enqueue) {
    const { backupStorage } = deps
    const row = await backupStorage.get(uuid)
    await backupStorage.refuseWhileAdding(row)
    // refuses a contradiction before the connection is tested
    untestedColumns(fields)
    if (!changesConnection(fields))
      return commit(async (tx) => ({ inventory: await backupStorage.change(tx, uuid, fields) }))
    refuseForScope(
      caller,
      `backup storage ${row.name} contains packages for all hosts, and this would change how it is reached`,
      'add another backup storage',
    )
    const storage = await backupStorage.checkChange(row, fields)
    return commit(async (tx) => {
      await refuseDuringWork(deps, row, tx)
      // only the node of a folder can try it
      const { name, managementNodeUuid } = row
      return enqueue(tx, {
        subject: { uuid, name },
        host: null,
        input: { change: fields, storage },
        managementNodeUuid,
      })
    })
  },
  steps: [
    step('pin', async (context) => {
      const { url, hostKeyFingerprint } = context.input.change
      if (url === undefined && hostKeyFingerprint === undefined) return {}
      return (await pinHostKey(await candidateOf(context, deps), context, deps.backupStorage, hostKeyFingerprint)) ?? {}
    }),
    step('try', async (context) => {
      const { signal } = context
      await using driver = await deps.backupStorage.drivers.openApart(await candidateOf(context, deps))
      await driver.check({ signal })
      // awaited: the driver is closed at the end of this function
      return await driver.usage({ signal })
    }),
    step('find', async (context) => {
      const { signal } = context
      const candidate = await candidateOf(context, deps)
      await using driver = await deps.backupStorage.drivers.openApart(candidate)
      for (const { name, installPath } of await deps.packages.listOnStorage(candidate.uuid, probedPackages))
        if (!(await driver.exists(installPath, { signal }))) throw missingPackage(candidate, name, installPath)
      // its connection would be closed
      await refuseDuringWork(deps, candidate)
      return {}
    }),
  ],
  async succeeded(context, tx) {
    const { change, storage } = context.input
    const uuid = context.subjectUuid ?? ''
    const columns = { ...deps.backupStorage.connectionColumns(uuid, storage), ...context.stepResults }
    const connected = { status: 'Connected', errorCode: null, errorDetails: null } as const
    return { inventory: await deps.backupStorage.change(tx, uuid, change, { ...columns, ...connected }) }
  },
})

/** The storage as it would be. */
async function candidateOf(
  context: JobContext<Input, Partial<BackupStorageRow>>,
  { backupStorage }: UpdateBackupStorageDeps,
): Promise<BackupStorageRow> {
  const { storage } = context.input
  for (const secret of [storage.privateKey, storage.secretAccessKey]) if (secret) context.conceal(secret)
  const row = await backupStorage.get(context.subjectUuid ?? '')
  return { ...row, ...backupStorage.connectionColumns(row.uuid, storage), ...context.stepResults }
}

const missingPackage = ({ name, url }: BackupStorageRow, packageName: string, path: string): ApiError =>
  new ApiError(
    'SYS.1006',
    `${url} does not contain software package ${packageName} (${path}) of backup storage ${name}, so it is another storage; copy the files there first, or add it as a new backup storage`,
  )

async function refuseDuringWork({ packages }: UpdateBackupStorageDeps, { uuid, name }: BackupStorageRow, tx?: Tx) {
  const work = await packages.findWorkOnStorage(uuid, tx)
  if (work)
    throw new ApiError(
      'SYS.1005',
      `job ${work.uuid} (${work.operation}) uses backup storage ${name}; wait for the job or cancel it, then change the connection`,
    )
}
