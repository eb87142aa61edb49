import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobContext } from '../../../jobs/definition.ts'
import type { PackageRow } from '../store.ts'
import { obsoleteVersions } from '../versions.ts'
import { leaveHost } from './install.ts'
import type { PackageJobDeps } from './package-job-deps.ts'

interface Input {
  readonly packageUuid: string
  readonly fromUuid: string | null
  readonly keepVersions: number
}

/** Removes the versions that the host no longer keeps. One that cannot be removed is logged; the next upgrade tries again. */
export async function removeObsolete(context: JobContext<Input>, deps: PackageJobDeps): Promise<void> {
  const { packageUuid, fromUuid, keepVersions } = context.input
  const { hostUuid, softwareName } = await deps.packages.get(packageUuid)
  const versions = await deps.packages.listVersions(hostUuid ?? '', softwareName ?? '')
  const inUse = fromUuid === null ? [packageUuid] : [packageUuid, fromUuid]
  for (const row of obsoleteVersions(versions, { inUse, keepVersions }))
    try {
      await removeVersion(context, row, deps)
      context.log(`removed ${row.softwareName} ${row.version}, which is no longer kept`)
    } catch (error) {
      if (context.signal.aborted || !(error instanceof ApiError)) throw error
      context.log(`${row.softwareName} ${row.version} is no longer kept, but could not be removed: ${error.message}`)
    }
}

async function removeVersion({ write, signal }: JobContext, row: PackageRow, deps: PackageJobDeps): Promise<void> {
  const { packages, hosts, jobs } = deps
  if (row.backupStorageUuid !== null) {
    await write((tx) => jobs.refuseBusy(tx, row.uuid))
    await leaveHost(row, deps, { write, signal })
    await write((tx) => packages.update(tx, row.uuid, { supersededDate: null, sealedInstallConfig: null }))
    return
  }
  // no job starts on it from here on
  await write(async (tx) => {
    await jobs.refuseBusy(tx, row.uuid)
    await packages.update(tx, row.uuid, { status: 'UploadFailed' })
  })
  const { driver } = await hosts.usable(row.hostUuid ?? '')
  if (row.unzipInstallPath !== null) await driver.remove(row.unzipInstallPath, { signal })
  await driver.remove(row.installPath, { signal })
  await write((tx) => packages.remove(tx, row.uuid))
}
