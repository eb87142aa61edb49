import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry, LocalFileHeader } from 'yauzl'
import { refuseEntry } from '../refusal.ts'

const unicodePath = 0x7075
const wideSizes = 0x0001
const isFull = 0xffffffff
/** Sizes and checksum follow the data. */
const sizesFollow = 0x8

const typeMask = 0o170000
/** Minus one: what some build tools for Java write for folders. */
const unknownMode = 0o177777
const types = new Map<number, ZipEntryFacts['kind']>([
  [0o040000, 'folder'],
  [0o100000, 'file'],
  [0o120000, 'symbolic link'],
])

export interface ZipEntryFacts {
  readonly kind: 'folder' | 'file' | 'symbolic link'
  readonly name: string
  readonly otherNames: readonly string[]
  readonly bytes: number
  readonly isExecutable: boolean
}

/** The directory record of an entry, rejected when it is ambiguous. */
export function zipEntryFacts(entry: Entry): ZipEntryFacts {
  const [name, ...otherNames] = zipNames(entry) as [string, ...string[]]
  if (name.includes('\\') || /^[A-Za-z]:\//.test(name)) throw refuseEntry(name, 'has a name for Windows')
  if (entry.isEncrypted()) throw refuseEntry(name, 'is encrypted')
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw refuseEntry(
      name,
      `is compressed by method ${entry.compressionMethod}; only "stored" and "deflated" are known`,
    )
  const sizes = [entry.uncompressedSize, entry.compressedSize, entry.relativeOffsetOfLocalHeader]
  if (!sizes.every(Number.isSafeInteger)) throw refuseEntry(name, 'has an invalid size')
  const given = entry.externalFileAttributes >>> 16
  const mode = given === unknownMode ? 0 : given
  const kind = kindOf(name, mode & typeMask, entry.externalFileAttributes)
  if (kind === 'folder' && entry.uncompressedSize !== 0) throw refuseEntry(name, 'is a folder but has a size')
  return { kind, name, otherNames, bytes: entry.uncompressedSize, isExecutable: (mode & 0o111) !== 0 }
}

/** Old zips declare no encoding, and ours are in UTF-8; an extra field may contain a second name. */
function zipNames({ fileNameRaw, extraFields }: Entry): string[] {
  const other = extraFields.find(({ id, data }) => id === unicodePath && data.length > 5 && data[0] === 1)?.data
  const names = [fileNameRaw]
  if (other?.readUInt32LE(1) === crc32(fileNameRaw)) names.unshift(other.subarray(5))
  const [first] = names
  if (!isUtf8(first as Buffer))
    throw refuseEntry((first as Buffer).toString('latin1'), 'has a name that is not valid UTF-8')
  return [...new Set(names.map((bytes) => bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')))]
}

/** The name, the mode of Unix and the attributes of DOS must agree where both are present. */
function kindOf(name: string, type: number, attributes: number): ZipEntryFacts['kind'] {
  const isFolder = name.endsWith('/')
  const kind = type === 0 ? (isFolder ? 'folder' : 'file') : types.get(type)
  if (kind === undefined) throw refuseEntry(name, 'is a device, a FIFO or a socket')
  if ((kind === 'folder') !== isFolder || (!isFolder && (attributes & 0x10) !== 0))
    throw refuseEntry(name, 'is a folder to some programs only')
  return kind
}

/** The header before the data must match the directory. */
export function checkLocalHeader(name: string, entry: Entry, local: LocalFileHeader): void {
  if ((local.generalPurposeBitFlag & 1) !== 0) throw refuseEntry(name, 'is encrypted')
  const follows = (local.generalPurposeBitFlag & sizesFollow) !== 0
  const wide = wideLocalSizes(local)
  const agrees = (own: number, wideOwn: number | undefined, declared: number) =>
    own === declared || (own === isFull && wideOwn === declared) || (follows && (own === 0 || own === isFull))
  const allAgree =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    agrees(local.uncompressedSize, wide?.uncompressed, entry.uncompressedSize) &&
    agrees(local.compressedSize, wide?.compressed, entry.compressedSize) &&
    agrees(local.crc32, undefined, entry.crc32)
  if (!allAgree) throw refuseEntry(name, 'is described differently in the directory of its zip and before its data')
}

function wideLocalSizes({ extraField }: LocalFileHeader): { uncompressed: number; compressed: number } | undefined {
  for (let at = 0; at + 4 <= extraField.length; at += 4 + extraField.readUInt16LE(at + 2)) {
    if (extraField.readUInt16LE(at) !== wideSizes || at + 20 > extraField.length) continue
    return {
      uncompressed: Number(extraField.readBigUInt64LE(at + 4)),
      compressed: Number(extraField.readBigUInt64LE(at + 12)),
    }
  }
  return undefined
}
