import { rm } from 'node:fs/promises'
import type { InspectedFile } from '@wharf/archives/hook-files.ts'
import type { InspectionResult } from '@wharf/archives/inspection.ts'
import type { PackageManifest } from '@wharf/archives/manifest.ts'
import type { Role } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { ExpectedDigests } from '@wharf/platform/digests.ts'
import type { JobContext } from '../../../jobs/definition.ts'
import { shownPackage } from '../shown-package.ts'
import { type Origin, openSource } from '../source.ts'
import { transfer } from '../transfer.ts'
import { zipSpoolOf } from '../zip-spool.ts'
import type { PackageJobDeps } from './package-job-deps.ts'

export interface UploadInput {
  readonly packageUuid: string
  readonly origin: Origin
  /** What the slices it came in have. */
  readonly md5?: string | undefined
  /** Of whoever opened an upload in slices, when the last one arrived; other callers are judged before the job begins. */
  readonly role?: Role
  /** What the caller announced of a source that is read by the job itself. */
  readonly expected?: ExpectedDigests | undefined
}

/** What the pass over the bytes has found; kept between the steps. */
export interface Found {
  md5: string
  size: number
  format: InspectionResult['format']
  manifest: PackageManifest | null
  topFolder: string | null
  hookFiles: readonly InspectedFile[]
}

type Context = JobContext<UploadInput, Partial<Found>>

/** From the source, past every check, to where `deliver` takes it. */
export async function receive(
  context: Context,
  deps: PackageJobDeps,
  availableBytes: number,
  deliver: Parameters<typeof transfer>[0]['deliver'],
): Promise<Found> {
  const { input, signal, jobUuid } = context
  const source = await openSource(input.origin, { ...deps, signal })
  const found = await transfer({
    source,
    expected: input.expected,
    availableBytes,
    spoolFile: zipSpoolOf(deps, jobUuid),
    signal,
    deliver,
    onProgress: (percent) => context.progress(percent),
  })
  return asFound(context, found)
}

export function asFound(context: Context, found: InspectionResult): Found {
  const { md5, size, format, manifest = null, topFolder = null, hookFiles } = found
  const announced = context.input.md5
  if (announced !== undefined && announced !== md5)
    throw new ApiError('SYS.1016', `the package has the MD5 ${md5} instead of ${announced}`)
  context.log(`${size} bytes, MD5 ${md5}, ${format}${manifest ? `, ${manifest.name} ${manifest.version}` : ''}`)
  return { md5, size, format, manifest, topFolder, hookFiles }
}

/** With the end of the job: the package is there for everyone. */
export async function arrived(
  { input, memory }: Context,
  { packages }: PackageJobDeps,
  tx: Tx,
  unzipInstallPath: string | null,
) {
  const { md5 = null, size = 0, format = null, topFolder = null, manifest, hookFiles } = memory
  await packages.update(tx, input.packageUuid, {
    status: 'Uploaded',
    md5sum: md5,
    size,
    format,
    topFolder,
    manifest: manifest ? JSON.stringify(manifest) : null,
    hookFiles: hookFiles ? JSON.stringify(hookFiles) : null,
    unzipInstallPath,
  })
  return { inventory: shownPackage(await packages.get(input.packageUuid, tx)) }
}

/** What lies on this node for the sake of the job. */
export async function removeJobSpool({ input, jobUuid }: Context, deps: PackageJobDeps): Promise<void> {
  await rm(zipSpoolOf(deps, jobUuid), { force: true })
  if ('uploadId' in input.origin) await deps.uploads.removeSpool(input.origin.uploadId)
}
