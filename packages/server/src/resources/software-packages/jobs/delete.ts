import { deleteSoftwarePackage } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { jobSubject } from '../configuration.ts'
import { getAuthorisedHost } from '../package-hosts.ts'
import { leaveHost } from './install.ts'
import type { PackageJobDeps } from './package-job-deps.ts'

interface Input {
  readonly packageUuid: string
  /** Files that cannot be removed are logged, and the record is deleted nevertheless. */
  readonly enforcing: boolean
}

export const deleteJob = (deps: PackageJobDeps): JobOperation<typeof deleteSoftwarePackage, Input> => ({
  operation: deleteSoftwarePackage,
  async start(call, enqueue) {
    const { packages, jobs, backupStorage, releases } = deps
    const { uuid } = call.path
    const enforcing = call.fields.deleteMode === 'Enforcing'
    const before = await packages.get(uuid)
    const kind = packages.kindOf(before)
    await getAuthorisedHost(call, before, deps)
    if (enforcing) await jobs.cancelSubject(call, uuid)
    else await kind?.removeVanished(before)
    return call.commit(async (tx) => {
      const row = await packages.lock(tx, uuid)
      const host = await getAuthorisedHost(call, row, deps, tx)
      await jobs.refuseBusy(tx, uuid)
      await packages.refuseReferenced(tx, row, 'SYS.1004')
      await releases.refuseDeletionOf(tx, row)
      if (!enforcing) await kind?.refuseInUse(tx, row, 'delete')
      const storage = host ? undefined : await backupStorage.get(row.backupStorageUuid ?? '', tx)
      const { managementNodeUuid } = host ?? storage ?? {}
      return enqueue(tx, {
        subject: jobSubject(row),
        host,
        ...(storage && { storageName: storage.name }),
        input: { packageUuid: uuid, enforcing },
        managementNodeUuid,
      })
    })
  },
  steps: [step('remove', (context) => remove(context, deps))],
  async succeeded({ input }, tx) {
    await deps.packages.remove(tx, input.packageUuid)
    return {}
  },
})

async function remove(context: JobContext<Input>, deps: PackageJobDeps): Promise<void> {
  const { input, signal, log, write } = context
  const row = await deps.packages.get(input.packageUuid)
  // a failed upload has removed its files, and a file at its path now belongs to another package; an upload that still
  // waits for slices has written nothing yet
  if (row.status === 'UploadFailed' || row.status === 'Uploading') return
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!input.enforcing || !(error instanceof ApiError)) throw error
      log(`${what} could not be removed: ${error.code} ${error.message}`)
    }
  }
  if (row.backupStorageUuid !== null) {
    const kind = deps.packages.kindOf(row)
    if (kind) {
      await attempt('what runs on it', () => kind.removeAll(context, row))
      await attempt('what was unpacked on backup storage', () => kind.removeUnpacked(context, row))
    }
    await attempt('what was unpacked on the host', () => leaveHost(row, deps, { write, signal }))
    await attempt('the file on backup storage', async () => {
      const { driver } = await deps.backupStorage.usable(row.backupStorageUuid ?? '')
      await driver.remove(row.installPath, { signal })
    })
    return
  }
  await attempt('the files on the host', async () => {
    const { driver } = await deps.hosts.usable(row.hostUuid ?? '')
    if (row.unzipInstallPath !== null) await driver.remove(row.unzipInstallPath, { signal })
    await driver.remove(row.installPath, { signal })
  })
}
