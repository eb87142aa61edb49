import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ArchiveInspection, type InspectionResult } from '@wharf/archives/inspection.ts'
import { noContents } from '@wharf/archives/package-contents.ts'
import { inspectZip } from '@wharf/archives/zip.ts'
import type { Source } from '@wharf/downloads/download.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { claiming, spaceIn } from '@wharf/platform/data-disk.ts'
import type { ExpectedDigests } from '@wharf/platform/digests.ts'
import { isDiskFull } from '@wharf/platform/disk-failure.ts'

interface Transfer {
  readonly source: Source
  /** What the whole must have: bytes with another digest never come to their end where they go. */
  readonly expected?: ExpectedDigests | undefined
  /** Where it goes: the archive itself must fit, and what it unpacks to beside it. */
  readonly availableBytes: number
  /** Where a zip is kept meanwhile, and left for whoever unpacks it. */
  readonly spoolFile: string
  readonly signal: AbortSignal
  /** Takes the bytes to where they belong. Ends only when nothing of it goes on. `consumes`: as a host's `put` has it. */
  readonly deliver: (bytes: Readable, consumes: boolean) => Promise<void>
  readonly onProgress: (percent: number) => void
}

/** One pass: from the source, past the inspection, to its place. Only a zip is held back until it is whole. */
export async function transfer(given: Transfer): Promise<InspectionResult> {
  const { source, expected, availableBytes, spoolFile, signal, deliver, onProgress } = given
  const { stream, size, fileName } = source
  if (size !== undefined && size > availableBytes) {
    stream.destroy()
    throw new ApiError('SoftwarePackage.1121', `the package has ${size} bytes, but only ${availableBytes} are free`)
  }
  const roomBeside = availableBytes - (size ?? 0)
  const inspection = new ArchiveInspection({ fileName, size, expected, availableBytes: roomBeside, signal })
  tellProgress(stream, size, onProgress)
  const fed = pipeline(stream, inspection.stream, { signal })
  // it is waited for below, after whoever takes the bytes has come to an end
  fed.catch(() => {})
  const wrapping = await Promise.race([inspection.wrapping(), fed.then(() => inspection.wrapping())])
  if (wrapping !== 'zip') {
    // what is compressed may still be looked into when it has gone on
    await deliver(inspection.stream, wrapping === 'tar' || wrapping === 'file')
    await fed
    return inspection.result()
  }
  await keep(inspection.stream, spoolFile, size)
  await fed
  const contents = await inspectZip(spoolFile, { availableBytes: roomBeside, signal })
  await deliver(createReadStream(spoolFile), true)
  return { ...(await inspection.result()), ...contents }
}

/** On this node's disk. */
export async function keep(bytes: Readable, file: string, size = 0): Promise<void> {
  await rm(file, { force: true })
  try {
    const space = await spaceIn(dirname(file), dirname(file))
    await space?.require(size)
    await pipeline(bytes, (source) => claiming(space, source), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    bytes.destroy()
    await rm(file, { force: true })
    if (!isDiskFull(error)) throw error
    throw new ApiError('SoftwarePackage.1121', 'the management node has no room left for the package', { cause: error })
  }
}

function tellProgress(stream: Readable, size: number | undefined, onProgress: (percent: number) => void): void {
  if (!size) return
  let seen = 0
  let told = 0
  stream.on('data', (chunk: Buffer) => {
    seen += chunk.length
    const percent = Math.floor((100 * seen) / size)
    if (percent === told) return
    told = percent
    onProgress(percent)
  })
  // listening has set it in motion, before anyone takes the bytes
  stream.pause()
}

interface FileOnThisNode {
  readonly file: string
  readonly fileName: string
  /** Known from the slices that it came in. */
  readonly md5: string
  readonly availableBytes: number
  readonly signal: AbortSignal
}

/** The same checks for a file that stays where it is. What is no archive need not be read to its end. */
export async function inspectFile(given: FileOnThisNode): Promise<InspectionResult> {
  const { file, fileName, md5, availableBytes, signal } = given
  const { size } = await stat(file)
  const stream = createReadStream(file, { highWaterMark: 1024 * 1024 })
  const inspection = new ArchiveInspection({ fileName, availableBytes, signal })
  const fed = pipeline(stream, inspection.stream, { signal })
  fed.catch(() => {})
  const wrapping = await Promise.race([inspection.wrapping(), fed.then(() => inspection.wrapping())])
  if (wrapping === 'file' || wrapping === 'zip') {
    stream.destroy()
    await fed.catch(() => {})
    if (wrapping === 'file') return { ...noContents, format: 'file', md5, size }
    return { ...(await inspectZip(file, { availableBytes, signal })), md5, size }
  }
  inspection.stream.resume()
  await fed
  return inspection.result()
}
