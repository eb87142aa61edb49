import { ListingReader } from '@wharf/archives/listing-reader.ts'
import { type UnpackedFormat, unpackArgv } from '@wharf/archives/unpack.ts'
import { zipToTar } from '@wharf/archives/zip-to-tar.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from '../hosts/driver.ts'
import { LastLines } from './hook-lines.ts'

interface Target {
  readonly driver: HostDriver
  /** Created here; the path must not exist yet. */
  readonly folder: string
  readonly signal: AbortSignal
  /** A script that runs first; $1 is the folder. */
  readonly before?: string
}

/** Unpacks with the host's own tar, then checks the real path and type of every unpacked entry. */
export async function unpackTar(archive: string, format: UnpackedFormat, target: Target): Promise<void> {
  const { driver, folder, signal, before } = target
  const listing = new ListingReader()
  await run(driver, unpackArgv(format, archive, folder, before), signal, (line) => listing.line(line))
  listing.end()
}

/** A zip on this node is converted to a tar and sent. */
export async function unpackZip(file: string, target: Target): Promise<void> {
  const { driver, folder, signal, before } = target
  const tar = `${folder}.tar`
  // it also removes an earlier tar
  if (before !== undefined) await run(driver, ['sh', '-c', before, 'wharf', folder], signal)
  await driver.put(zipToTar(file, signal), tar, { signal })
  await unpackTar(tar, 'tar', { driver, folder, signal })
  await driver.remove(tar, { signal })
}

/** The last two: GNU tar and busybox report a file that was cut off by a full disk. */
const diskFull = /no space left|quota exceeded|wrote only \d+ of|short write/i

async function run(
  driver: HostDriver,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
  onOutput?: (line: string) => void,
): Promise<void> {
  const errors = new LastLines()
  const { exitCode } = await driver.run(argv, {
    signal,
    onLine: (line, stream) => (stream === 'stdout' && onOutput ? onOutput(line) : errors.add(line)),
  })
  if (exitCode === 0) return
  if (diskFull.test(`${errors}`))
    throw new ApiError('SoftwarePackage.1121', `the host has no free space to unpack the package: ${errors}`)
  throw new ApiError('SoftwarePackage.1300', `the host could not unpack the package (exit code ${exitCode}): ${errors}`)
}
