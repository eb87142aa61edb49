import { pipeline } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { Entry } from 'yauzl'
import { asZipRefusal, refuseEntry } from '../refusal.ts'
import type { OpenZip } from './zip-file.ts'

/** Up to here a file is read in one piece, which is much cheaper than a stream; unpacking it takes under a millisecond. */
const smallBytes = 128 * 1024

const longer = 'is longer than declared in the directory of its zip'

/** The data of one entry; fails when it is not as long, or not the same, as in the directory. */
export async function* zipContent(
  open: OpenZip,
  entry: Entry,
  dataStart: number,
  { name, bytes }: { name: string; bytes: number },
): AsyncGenerator<Buffer> {
  let left = bytes
  let sum = 0
  try {
    const isSmall = entry.compressedSize <= smallBytes && bytes <= smallBytes
    for await (const chunk of isSmall ? whole(open, entry, dataStart) : streamed(open, entry)) {
      left -= chunk.length
      if (left < 0) throw refuseEntry(name, longer)
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    const isLonger = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isLonger ? refuseEntry(name, longer, error) : asZipRefusal(error)
  }
  if (left > 0) throw refuseEntry(name, 'is shorter than declared in the directory of its zip')
  if (sum !== entry.crc32) throw refuseEntry(name, 'does not have the checksum of the directory of its zip')
}

async function* whole(open: OpenZip, entry: Entry, dataStart: number): AsyncGenerator<Buffer> {
  const stored = Buffer.alloc(entry.compressedSize)
  await open.read(stored, dataStart)
  if (stored.length > 0) yield entry.compressionMethod === 0 ? stored : inflate(stored, entry.uncompressedSize)
}

/** `info` also returns the engine, which counts the consumed bytes. */
type WithEngine = { buffer: Buffer; engine: { bytesWritten: number } }

function inflate(stored: Buffer, bytes: number): Buffer {
  const options = { info: true, maxOutputLength: Math.max(bytes, 1) }
  const { buffer, engine } = inflateRawSync(stored, options) as unknown as WithEngine
  if (engine.bytesWritten !== stored.length) throw new Error('something follows its compressed data')
  return buffer
}

async function* streamed({ zip }: OpenZip, entry: Entry): AsyncGenerator<Buffer> {
  const stored = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  if (entry.compressionMethod === 0) yield* stored
  else yield* pipeline(stored, createInflateRaw({ rejectGarbageAfterEnd: true, chunkSize: smallBytes }), () => {})
}
