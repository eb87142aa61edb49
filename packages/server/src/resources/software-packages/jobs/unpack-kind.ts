import { stat } from 'node:fs/promises'
import { extractFiles, type FoundArchive } from '@wharf/archives/extraction.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobContext } from '../../../jobs/definition.ts'
import type { BackupStorageDriver } from '../../backup-storage/driver.ts'
import type { PackageRow } from '../store.ts'
import { writeSpool } from '../transfer.ts'
import { zipSpoolOf } from '../zip-spool.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import type { Inspected, UploadInput } from './receive-package.ts'

type Context = JobContext<UploadInput, Inspected>

/** Unpacks the files that the kind of a package needs, once the archive is on its storage. */
export async function unpackKind(context: Context, deps: PackageJobDeps): Promise<{ unpacked?: object }> {
  const { input, stepResults, signal } = context
  const row = await deps.packages.get(input.packageUuid)
  const kind = deps.packages.kindOf(row)
  if (kind === undefined) return {}
  const { driver } = await deps.backupStorage.usable(row.backupStorageUuid ?? '')
  const { manifest = null, topFolder = null, md5 = '' } = stepResults
  const inTopFolder = (path: string): string => (topFolder === null ? path : `${topFolder}/${path}`)
  const unpacked = await kind.unpack(context, {
    row,
    manifest,
    md5,
    driver,
    extract: async (paths, consume) => {
      const named = new Map(paths.map((path) => [inTopFolder(path), path]))
      const archive = await archiveOf(context, deps, row, driver)
      await extractFiles(archive, [...named.keys()], {
        consume: (path, data) => consume(named.get(path) ?? path, data),
        signal,
      })
    },
  })
  return { unpacked }
}

async function archiveOf(
  { stepResults, signal, jobUuid }: Context,
  deps: PackageJobDeps,
  { installPath }: PackageRow,
  driver: BackupStorageDriver,
): Promise<FoundArchive> {
  const { format = 'file', size } = stepResults
  if (format === 'file') throw new ApiError('SoftwarePackage.1132', 'the package is not an archive')
  if (format !== 'zip') return { format, bytes: driver.get(installPath, { signal }) }
  const file = zipSpoolOf(deps, jobUuid)
  // another process may have started this job
  const spooled = await stat(file).catch(() => undefined)
  if (spooled?.size !== size) await writeSpool(driver.get(installPath, { signal }), file)
  return { format, file }
}
