import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupStorageService } from '../../backup-storage/service.ts'
import type { HostService } from '../../hosts/service.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { UploadService } from '../../uploads/service.ts'
import type { InspectionResult } from '../archives/inspection.ts'
import type { PackageManifest } from '../archives/manifest.ts'
import type { SoftwarePackageService } from '../service.ts'
import { type Origin, openSource, type SourceSettings } from '../source.ts'
import { transfer } from '../transfer.ts'

export interface UploadInput {
  readonly packageUuid: string
  readonly origin: Origin
  /** What it must have, when that is known. */
  readonly md5?: string | undefined
}

/** What the pass over the bytes has found; kept between the steps. */
export interface Found {
  md5: string
  size: number
  format: InspectionResult['format']
  manifest: PackageManifest | null
  topFolder: string | null
}

export interface JobParts {
  readonly packages: SoftwarePackageService
  readonly hosts: HostService
  readonly backupStorage: BackupStorageService
  readonly uploads: UploadService
  readonly settings: SourceSettings & { readonly data: string }
}

type Context = JobContext<UploadInput, Partial<Found>>

export const zipSpool = (data: string): string => join(data, 'zips')

export const zipSpoolOf = ({ settings }: JobParts, jobUuid: string): string => join(zipSpool(settings.data), jobUuid)

/** From the source, past every check, to where `deliver` takes it. */
export async function receive(
  context: Context,
  parts: JobParts,
  availableBytes: number,
  deliver: (bytes: Readable) => Promise<void>,
): Promise<Found> {
  const { input, signal, jobUuid } = context
  const source = await openSource(input.origin, { ...parts, signal })
  const found = await transfer({
    source,
    availableBytes,
    spoolFile: zipSpoolOf(parts, jobUuid),
    signal,
    deliver,
    onProgress: (percent) => context.progress(percent),
  })
  return asFound(context, found)
}

export function asFound(context: Context, found: InspectionResult): Found {
  const { md5, size, format, manifest = null, topFolder = null } = found
  const announced = context.input.md5
  if (announced !== undefined && announced !== md5)
    throw new ApiError('SYS.1016', `the package has the MD5 ${md5} instead of ${announced}`)
  context.log(`${size} bytes, MD5 ${md5}, ${format}${manifest ? `, ${manifest.name} ${manifest.version}` : ''}`)
  return { md5, size, format, manifest, topFolder }
}

/** From here on the package is there for everyone. */
export async function publish(context: Context, parts: JobParts, unzipInstallPath: string | null): Promise<void> {
  const { md5 = null, size = 0, format = null, topFolder = null, manifest } = context.memory
  await context.write((tx) =>
    parts.packages.arrived(tx, context.input.packageUuid, {
      md5sum: md5,
      size,
      format,
      topFolder,
      manifest: manifest ? JSON.stringify(manifest) : null,
      unzipInstallPath,
    }),
  )
  await forgetSpool(context, parts)
}

/** The last of the way back: the files are gone, the record says so. */
export async function giveUp(context: Context, parts: JobParts): Promise<void> {
  await context.write((tx) => parts.packages.uploadFailed(tx, context.input.packageUuid))
  await forgetSpool(context, parts)
}

async function forgetSpool({ input, jobUuid }: Context, parts: JobParts): Promise<void> {
  await rm(zipSpoolOf(parts, jobUuid), { force: true })
  if ('uploadId' in input.origin) await parts.uploads.removeSpool(input.origin.uploadId)
}
