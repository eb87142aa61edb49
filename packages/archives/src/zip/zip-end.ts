import { refuseArchive } from '../refusal.ts'
import type { OpenZip } from './zip-file.ts'

const endBytes = 22
const endSignature = 0x06054b50
const locatorBytes = 20
const locatorSignature = 0x07064b50
const longEndBytes = 56
const maxCommentBytes = 0xffff

export interface ZipDirectory {
  readonly offset: number
  readonly bytes: number
  readonly entries: number
}

/**
 * The position of the directory, read strictly: one end record that reaches the end of the file, on one disk, with the
 * directory right before it. Programs that search for it differently then find the same one.
 */
export async function zipDirectory(open: OpenZip): Promise<ZipDirectory> {
  const tail = Buffer.alloc(Math.min(open.fileBytes, endBytes + maxCommentBytes))
  await open.read(tail, open.fileBytes - tail.length)
  const ends = endRecords(tail)
  if (ends.length !== 1) throw refuseArchive(`its zip has ${ends.length} end records`)
  const at = ends[0] as number
  const endOffset = open.fileBytes - tail.length + at
  const short = shortEnd(tail.subarray(at))
  const long = await longEnd(open, endOffset)
  const { directory, before } = long ?? { directory: short, before: endOffset }
  const differs = (['offset', 'bytes', 'entries'] as const).some(
    (key) => short[key] !== directory[key] && !isFull(short[key], key),
  )
  if (differs) throw refuseArchive('the end records of its zip contradict each other')
  if (directory.offset + directory.bytes !== before)
    throw refuseArchive('the directory of its zip does not end where its end record begins')
  return directory
}

/** The value that refers to the 64-bit record. */
const isFull = (value: number, key: keyof ZipDirectory): boolean => value === (key === 'entries' ? 0xffff : 0xffffffff)

/** Every place where some program could find an end record whose comment fills the rest of the file. */
function endRecords(tail: Buffer): number[] {
  const found: number[] = []
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) === endSignature && at + endBytes + tail.readUInt16LE(at + 20) === tail.length)
      found.push(at)
  }
  return found
}

function shortEnd(end: Buffer): ZipDirectory {
  const entries = end.readUInt16LE(10)
  const oneDisk = end.readUInt16LE(4) === 0 && end.readUInt16LE(6) === 0 && end.readUInt16LE(8) === entries
  if (!oneDisk) throw refuseArchive('its zip is one of several parts')
  return { entries, bytes: end.readUInt32LE(12), offset: end.readUInt32LE(16) }
}

async function longEnd(
  open: OpenZip,
  endOffset: number,
): Promise<{ directory: ZipDirectory; before: number } | undefined> {
  const locator = Buffer.alloc(locatorBytes)
  if (endOffset < locatorBytes) return undefined
  await open.read(locator, endOffset - locatorBytes)
  if (locator.readUInt32LE(0) !== locatorSignature) return undefined
  const before = endOffset - locatorBytes - longEndBytes
  if (locator.readBigUInt64LE(8) !== BigInt(before))
    throw refuseArchive('the 64-bit end record of its zip is elsewhere')
  const end = Buffer.alloc(longEndBytes)
  await open.read(end, before)
  if (end.readBigUInt64LE(24) !== end.readBigUInt64LE(32)) throw refuseArchive('its zip is one of several parts')
  const number = (at: number) => Number(end.readBigUInt64LE(at))
  return { directory: { entries: number(32), bytes: number(40), offset: number(48) }, before }
}
