import { ListingReader } from '@wharf/archives/listing-reader.ts'
import { type UnpackedFormat, unpackArgv } from '@wharf/archives/unpack.ts'
import { unpackCheckArgv } from '@wharf/archives/unpack-check.ts'
import { zipToTar } from '@wharf/archives/zip-to-tar.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver } from '../hosts/driver.ts'
import { LastLines } from './hook-lines.ts'

interface Target {
  readonly driver: HostDriver
  /** Made by this; nothing may stand there yet. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** By the host's own tar; then every real path and type that came of it is checked again. */
export async function unpackTar(archive: string, format: UnpackedFormat, target: Target): Promise<void> {
  const { driver, folder, signal } = target
  await run(driver, unpackArgv(format, archive, folder), signal)
  const listing = new ListingReader()
  await run(driver, unpackCheckArgv(folder), signal, (line) => listing.line(line))
  listing.end()
}

/** A zip on this node is sent as the tar that it amounts to. */
export async function unpackZip(file: string, target: Target): Promise<void> {
  const { driver, folder, signal } = target
  const tar = `${folder}.tar`
  await driver.put(zipToTar(file, signal), tar, { signal })
  await unpackTar(tar, 'tar', target)
  await driver.remove(tar, { signal })
}

/** The last two: a file that stops where the room ends, in the words of GNU and of busybox. */
const noRoom = /no space left|quota exceeded|wrote only \d+ of|short write/i

async function run(
  driver: HostDriver,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
  onOutput?: (line: string) => void,
): Promise<void> {
  const said = new LastLines()
  const { exitCode } = await driver.run(argv, {
    signal,
    onLine: (line, stream) => (stream === 'stdout' && onOutput ? onOutput(line) : said.add(line)),
  })
  if (exitCode === 0) return
  if (noRoom.test(`${said}`))
    throw new ApiError('SoftwarePackage.1121', `the host has no room to unpack the package: ${said}`)
  throw new ApiError('SoftwarePackage.1300', `the host could not unpack the package (exit code ${exitCode}): ${said}`)
}
