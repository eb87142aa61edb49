import { deleteSoftwarePackage } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { leaveHost } from './install.ts'
import type { JobParts } from './receiving.ts'

interface Input {
  readonly packageUuid: string
  /** What cannot be removed is told in the log, and the record goes all the same. */
  readonly enforcing: boolean
}

export const deleteJob = (parts: JobParts) =>
  job<typeof deleteSoftwarePackage, Input>(
    deleteSoftwarePackage,
    [step('remove', (context) => remove(context, parts))],
    async ({ input }, tx) => {
      await parts.packages.delete(tx, input.packageUuid)
      return {}
    },
  )

async function remove(context: JobContext<Input>, parts: JobParts): Promise<void> {
  const { input, signal, log, write } = context
  const row = await parts.packages.get(input.packageUuid)
  // an upload that has failed has cleaned up after itself, and what stands at its path now is someone else's; one that
  // still waits for slices has put nothing there yet
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
    const kind = parts.packages.kindOf(row)
    if (kind) {
      await attempt('what runs by it', () => kind.removeAll(context, row))
      await attempt('what was unpacked on backup storage', () => kind.removeUnpacked(context, row))
    }
    await attempt('what was unpacked on the host', () => leaveHost(row, parts, { write, signal }))
    await attempt('the file on backup storage', async () => {
      const { driver } = await parts.backupStorage.usable(row.backupStorageUuid ?? '')
      await driver.remove(row.installPath, { signal })
    })
    return
  }
  await attempt('the files on the host', async () => {
    const { driver } = await parts.hosts.usable(row.hostUuid ?? '')
    if (row.unzipInstallPath !== null) await driver.remove(row.unzipInstallPath, { signal })
    await driver.remove(row.installPath, { signal })
  })
}
