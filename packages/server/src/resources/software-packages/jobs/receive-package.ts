import { rm } from 'node:fs/promises'
import type { InspectedFile } from '@wharf/archives/hook-files.ts'
import type { PackageManifest } from '@wharf/archives/manifest.ts'
import type { InspectionResult } from '@wharf/archives/stream-inspection.ts'
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
  /** The MD5 of the slices. */
  readonly md5?: string | undefined
  /** For slices: the role of their user at the last slice; other callers are authorised before the job starts. */
  readonly role?: Role
  /** The digests that the caller announced for a source that the job reads. */
  readonly expected?: ExpectedDigests | undefined
}

/** The results of the inspection, stored between the steps. */
export interface Inspected {
  md5: string
  /** Null for a host, unless the caller announced it: it would cost as much as a tenth of the transfer. */
  sha256: string | null
  size: number
  format: InspectionResult['format']
  manifest: PackageManifest | null
  topFolder: string | null
  hookFiles: readonly InspectedFile[]
}

type Context = JobContext<UploadInput, Partial<Inspected>>

/** Transfers the package from its source through every check to `deliver`. */
export async function receive(
  context: Context,
  deps: PackageJobDeps,
  availableBytes: number,
  deliver: Parameters<typeof transfer>[0]['deliver'],
  { withSha256 = false } = {},
): Promise<Inspected> {
  const { input, signal, jobUuid } = context
  const source = await openSource(input.origin, { ...deps, signal })
  const result = await transfer({
    source,
    expected: input.expected,
    withSha256,
    availableBytes,
    spoolFile: zipSpoolOf(deps, jobUuid),
    signal,
    deliver,
    accept: ({ md5 }) => requireAnnounced(context, md5),
    onProgress: (percent) => context.progress(percent),
  })
  return checkInspected(context, result)
}

function requireAnnounced({ input: { md5: announced } }: Context, md5: string): void {
  if (announced !== undefined && announced !== md5)
    throw new ApiError(
      'SYS.1016',
      `the package has the MD5 ${md5} instead of ${announced}; send the intact file, or correct the announced digest`,
    )
}

/** Compares the digest with the announced one and logs the result. */
export function checkInspected(context: Context, result: InspectionResult): Inspected {
  const { md5, sha256 = null, size, format, manifest = null, topFolder = null, hookFiles } = result
  requireAnnounced(context, md5)
  context.log(`${size} bytes, MD5 ${md5}, ${format}${manifest ? `, ${manifest.name} ${manifest.version}` : ''}`)
  return { md5, sha256, size, format, manifest, topFolder, hookFiles }
}

/** The columns of a package that its inspection determines. */
export const inspectedColumns = ({ manifest, hookFiles, ...found }: Partial<Inspected>) => ({
  md5sum: found.md5 ?? null,
  sha256: found.sha256 ?? null,
  size: found.size ?? 0,
  format: found.format ?? null,
  topFolder: found.topFolder ?? null,
  manifest: manifest ? JSON.stringify(manifest) : null,
  softwareName: manifest?.name ?? null,
  version: manifest?.version ?? null,
  hookFiles: hookFiles ? JSON.stringify(hookFiles) : null,
})

/** In the commit that ends the job: publishes the package. */
export async function publishPackage(
  { input, stepResults }: Context,
  { packages }: PackageJobDeps,
  tx: Tx,
  unzipInstallPath: string | null,
) {
  await packages.update(tx, input.packageUuid, {
    ...inspectedColumns(stepResults),
    status: 'Uploaded',
    unzipInstallPath,
  })
  return { inventory: shownPackage(await packages.get(input.packageUuid, tx)) }
}

/** Removes the files of the job on this node. */
export async function removeJobSpool({ input, jobUuid }: Context, deps: PackageJobDeps): Promise<void> {
  await rm(zipSpoolOf(deps, jobUuid), { force: true })
  if ('uploadId' in input.origin) await deps.uploads.removeSpool(input.origin.uploadId)
}
