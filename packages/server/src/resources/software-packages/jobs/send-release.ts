import { createReadStream } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import type { InspectedFile } from '@wharf/archives/hook-files.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobContext } from '../../../jobs/definition.ts'
import type { HostDriver, PutOptions } from '../../hosts/driver.ts'
import { manifestOf } from '../configuration.ts'
import { zipSpoolOf } from '../zip-spool.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import type { Inspected, UploadInput } from './receive-package.ts'

const scheme = 'release://'
const readBytes = 1024 * 1024
const progressEveryMs = 500

interface HostFile {
  readonly driver: HostDriver
  readonly path: string
  readonly names: Pick<PutOptions, 'linkPath' | 'createFolders'>
  readonly availableBytes: number
}

/**
 * Sends the bytes of a release from the cache of this node. They were inspected when they were stored, and their digest
 * is verified, so they are not inspected for each host again. Undefined for another source, or a release that the cache does not accept.
 */
export async function sendRelease(
  context: JobContext<UploadInput>,
  deps: PackageJobDeps,
  { driver, path, names, availableBytes }: HostFile,
): Promise<Inspected | undefined> {
  const { input, signal, jobUuid } = context
  if (!('url' in input.origin) || !input.origin.url.startsWith(scheme)) return undefined
  const release = await deps.releases.resolve(input.origin.url.slice(scheme.length), 'url')
  const { size, sha256, md5sum } = release
  if (!deps.releaseCache.accepts(size)) return undefined
  if (size > availableBytes)
    throw new ApiError(
      'SoftwarePackage.1121',
      `the package has ${size} bytes, but only ${availableBytes} are free; free some space there`,
    )
  const stored = await deps.packages.get(release.softwarePackageUuid)
  const fetch = async (fetchSignal: AbortSignal) => {
    const { driver: storage } = await deps.backupStorage.usable(release.backupStorageUuid)
    return storage.get(stored.installPath, { signal: fetchSignal })
  }
  await using cached = await deps.releaseCache.use(release, fetch, signal)
  // the stream allocates whole pieces, also for a small file
  const bytes = createReadStream(cached.file, { highWaterMark: Math.min(readBytes, size) })
  const timer = setInterval(() => context.progress(Math.floor((100 * bytes.bytesRead) / size)), progressEveryMs)
  try {
    await driver.put(bytes, path, { signal, consumes: true, size, ...names })
  } finally {
    clearInterval(timer)
  }
  const format = stored.format ?? 'file'
  if (format === 'zip') await copyToSpool(cached.file, zipSpoolOf(deps, jobUuid))
  context.log(`${size} bytes, SHA-256 ${sha256}, ${release.name} ${release.version}`)
  return {
    md5: md5sum,
    sha256,
    size,
    format,
    manifest: manifestOf(stored),
    topFolder: stored.topFolder,
    hookFiles: JSON.parse(stored.hookFiles ?? '[]') as InspectedFile[],
  }
}

/** The unpacking of a zip reads it on this node. */
async function copyToSpool(file: string, spool: string): Promise<void> {
  await rm(spool, { force: true })
  await copyFile(file, spool)
}
