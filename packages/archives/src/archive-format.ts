import { parseTarHeader, tarBlockBytes } from './tar/tar-header.ts'

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.zst' | 'zip' | 'file'

/** Determined by the first bytes; whether a compressed file contains a tar is known after decompression. */
export type Wrapping = 'tar' | 'gzip' | 'zstd' | 'zip' | 'file'

const gzip = Buffer.from([0x1f, 0x8b, 0x08])
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** Parallel compressors start with a frame without data: 0x184D2A5?, with any last digit. */
const zstdSkippable = Buffer.from([0x2a, 0x4d, 0x18])
const zip = Buffer.from('PK\x03\x04', 'latin1')
const emptyZip = Buffer.from('PK\x05\x06', 'latin1')

/** By content, never by name: the first bytes of a file, a block of tar or more, or the whole file. */
export function wrappingOf(head: Buffer, claimed: boolean): Wrapping {
  if (begins(head, gzip)) return 'gzip'
  if (begins(head, zstd) || isSkippable(head)) return 'zstd'
  if (begins(head, zip) || begins(head, emptyZip)) return 'zip'
  return isTar(head, claimed) ? 'tar' : 'file'
}

/** A block of zeros is the end mark of an empty tar. Many other files start with zeros, so the name decides. */
export function isTar(head: Buffer, claimed: boolean): boolean {
  if (head.length < tarBlockBytes) return false
  const block = head.subarray(0, tarBlockBytes)
  return parseTarHeader(block) !== undefined || (claimed && block.every((byte) => byte === 0))
}

/** Whether a file of this name must be an archive. */
export const claimsArchive = (fileName: string): boolean => /\.(tar|tar\.gz|tgz|tar\.zst|zip)$/i.test(fileName)

const begins = (head: Buffer, magic: Buffer): boolean => head.subarray(0, magic.length).equals(magic)
const isSkippable = (head: Buffer): boolean =>
  ((head[0] ?? 0) & 0xf0) === 0x50 && begins(head.subarray(1), zstdSkippable)

/** Buffers the start of a stream until the format can be determined. */
export class FirstBytes {
  /** A copy: a piece is forwarded, and its memory released, before the next one arrives. */
  #bytes = Buffer.alloc(0)

  /** The buffered bytes when they suffice; undefined before. */
  add(chunk: Buffer): Buffer | undefined {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    return this.#bytes.length < tarBlockBytes ? undefined : this.#bytes
  }

  all(): Buffer {
    return this.#bytes
  }
}
