import { closeSync, openSync, readSync } from 'node:fs'
import { gunzipSync, constants as zlib } from 'node:zlib'

const blockBytes = 512
/** Contains the manifest of most packages and is read in milliseconds; the server checks every package. */
const maxCompressedBytes = 2 ** 20
const maxOutputLength = 64 * 2 ** 20
const maxEntries = 1000
const maxManifestBytes = 2 ** 20

type Read = (from: number, bytes: number) => Buffer

/** The type in the wharf.json of a tar or tar.gz, if it is near the beginning; undefined otherwise. */
export function declaredType(path: string): string | undefined {
  const file = openSync(path, 'r')
  try {
    const readFile: Read = (from, bytes) => {
      const buffer = Buffer.alloc(bytes)
      return buffer.subarray(0, readSync(file, buffer, 0, bytes, from))
    }
    return typeIn(manifestIn(readerOf(readFile)))
  } catch {
    // not a readable archive
    return undefined
  } finally {
    closeSync(file)
  }
}

function readerOf(readFile: Read): Read {
  if (readFile(0, 2).toString('hex') !== '1f8b') return readFile
  const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength }
  const tar = gunzipSync(readFile(0, maxCompressedBytes), options)
  return (from, bytes) => tar.subarray(from, from + bytes)
}

/** At the root, or in the single top-level folder, which is known only at the end. */
function manifestIn(read: Read): Buffer | undefined {
  const folders = new Set<string>()
  let nested: Buffer | undefined
  for (let at = 0, entries = 0; entries < maxEntries; entries++) {
    const header = read(at, blockBytes)
    if (header.length < blockBytes) return undefined
    if (header.every((byte) => byte === 0)) return folders.size === 1 ? nested : undefined
    if (header.toString('latin1', 257, 262) !== 'ustar') return undefined
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8)
    if (!Number.isSafeInteger(size)) return undefined
    const isFile = ['0', '\0'].includes(header.toString('latin1', 156, 157))
    const [first = '', ...rest] = nameIn(header).split('/')
    const content = (): Buffer | undefined => {
      const data = size <= maxManifestBytes ? read(at + blockBytes, size) : undefined
      return data?.length === size ? data : undefined
    }
    if (isFile && first === 'wharf.json' && rest.length === 0) return content()
    // extended headers are not entries
    if (!['x', 'g', 'L', 'K'].includes(header.toString('latin1', 156, 157))) folders.add(first)
    if (isFile && rest.join('/') === 'wharf.json') nested = content()
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  return undefined
}

function nameIn(header: Buffer): string {
  const textAt = (from: number, to: number): string => header.toString('utf8', from, to).replace(/\0.*$/s, '')
  const prefix = textAt(345, 500)
  return (prefix === '' ? textAt(0, 100) : `${prefix}/${textAt(0, 100)}`).replace(/^(\.\/)+/, '').replace(/\/$/, '')
}

function typeIn(manifest: Buffer | undefined): string | undefined {
  if (manifest === undefined) return undefined
  const { type } = JSON.parse(manifest.toString('utf8')) as { type?: unknown }
  return typeof type === 'string' ? type : undefined
}
