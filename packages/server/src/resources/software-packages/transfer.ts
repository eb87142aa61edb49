import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { noContents } from '@wharf/archives/entry-rules.ts'
import { type InspectionResult, StreamInspection } from '@wharf/archives/stream-inspection.ts'
import { inspectZip } from '@wharf/archives/zip-inspection.ts'
import type { Source } from '@wharf/downloads/download.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { claiming, spaceIn } from '@wharf/platform/data-disk.ts'
import type { ExpectedDigests } from '@wharf/platform/digests.ts'
import { isDiskFull } from '@wharf/platform/disk-failure.ts'
import type { PutOptions } from '../hosts/driver.ts'

export type DeliveryOptions = Required<Pick<PutOptions, 'consumes' | 'verify'>> & Pick<PutOptions, 'size'>

interface Transfer {
  readonly source: Source
  /** Digests of the whole package: bytes with other digests are never delivered to the end. */
  readonly expected?: ExpectedDigests | undefined
  /** Compute the SHA-256 also when none is expected. */
  readonly withSha256?: boolean
  /** Free space at the target, for the archive and its unpacked contents. */
  readonly availableBytes: number
  /** A zip is stored in it, and stays for the unpacking. */
  readonly spoolFile: string
  readonly signal: AbortSignal
  /** Writes the bytes to the target. Resolves only when nothing of it still runs. The options are those of a host's `put`. */
  readonly deliver: (bytes: Readable, options: DeliveryOptions) => Promise<void>
  /** Throws when the result is not acceptable; `verify` of the delivery includes it. */
  readonly accept?: (result: InspectionResult) => void
  readonly onProgress: (percent: number) => void
}

/** One pass: from the source, through the inspection, to the target. Only a zip is stored until it is complete. */
export async function transfer(given: Transfer): Promise<InspectionResult> {
  const { source, expected, withSha256, availableBytes, spoolFile, signal, deliver, accept, onProgress } = given
  const { stream, size, fileName } = source
  if (size !== undefined && size > availableBytes) {
    stream.destroy()
    throw new ApiError(
      'SoftwarePackage.1121',
      `the package has ${size} bytes, but only ${availableBytes} are free; free some space, or choose another destination`,
    )
  }
  const remainingBytes = availableBytes - (size ?? 0)
  const inspection = new StreamInspection({
    fileName,
    size,
    expected,
    withSha256,
    availableBytes: remainingBytes,
    signal,
  })
  reportProgress(stream, size, onProgress)
  const fed = pipeline(stream, inspection.stream, { signal })
  // awaited below, after the delivery has ended
  fed.catch(() => {})
  const wrapping = await Promise.race([inspection.wrapping(), fed.then(() => inspection.wrapping())])
  const verifying = (contents: object) => async (): Promise<InspectionResult> => {
    await fed
    const result = { ...(await inspection.result()), ...contents }
    accept?.(result)
    return result
  }
  if (wrapping !== 'zip') {
    const verify = verifying({})
    await deliver(inspection.stream, { consumes: true, size, verify })
    return verify()
  }
  await writeSpool(inspection.stream, spoolFile, size)
  await fed
  const verify = verifying(await inspectZip(spoolFile, { availableBytes: remainingBytes, signal }))
  await deliver(createReadStream(spoolFile), { consumes: true, size, verify })
  return verify()
}

/** Writes the bytes to a file on this node's disk. */
export async function writeSpool(bytes: Readable, file: string, size = 0): Promise<void> {
  await rm(file, { force: true })
  try {
    const space = await spaceIn(dirname(file), dirname(file))
    await space?.require(size)
    await pipeline(bytes, (source) => claiming(space, source), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    bytes.destroy()
    await rm(file, { force: true })
    if (!isDiskFull(error)) throw error
    throw new ApiError(
      'SoftwarePackage.1121',
      'the management node has no free space left for the package; free some there',
      {
        cause: error,
      },
    )
  }
}

function reportProgress(stream: Readable, size: number | undefined, onProgress: (percent: number) => void): void {
  if (!size) return
  let seen = 0
  let reported = 0
  stream.on('data', (chunk: Buffer) => {
    seen += chunk.length
    const percent = Math.floor((100 * seen) / size)
    if (percent === reported) return
    reported = percent
    onProgress(percent)
  })
  // the listener has started the stream before anything reads the bytes
  stream.pause()
}

interface FileOnThisNode {
  readonly file: string
  readonly fileName: string
  /** Computed from the slices. */
  readonly md5: string
  readonly availableBytes: number
  readonly signal: AbortSignal
}

/** The same checks for a file that is not copied. A file that is not an archive is not read to its end. */
export async function inspectFile(given: FileOnThisNode): Promise<InspectionResult> {
  const { file, fileName, md5, availableBytes, signal } = given
  const { size } = await stat(file)
  const stream = createReadStream(file, { highWaterMark: 1024 * 1024 })
  const inspection = new StreamInspection({ fileName, availableBytes, signal })
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
