import { gzipSync, zstdCompressSync } from 'node:zlib'
import { gnuLong, pax, tarEnd, tarHeader, tarPart } from './tar-builder.ts'

/** Archives that are made while they are read: small on the wire, or endless. Nothing is kept. */
export interface Bomb {
  readonly name: string
  readonly fileName: string
  readonly message: string
  readonly availableBytes: number
  readonly parts: () => Iterable<Buffer>
}

const GiB = 1024 ** 3
/** As much as one member of gzip, or one frame of zstd, unpacks to. */
const memberBytes = 16 * 1024 ** 2

type Compress = (data: Buffer) => Buffer
const gzip: Compress = (data) => gzipSync(data, { level: 9 })
const zstd: Compress = (data) => zstdCompressSync(data)

/** Compressed once and repeated: both forms may consist of many parts. */
function* zeros(bytes: number, compress: Compress): Generator<Buffer> {
  const part = compress(Buffer.alloc(memberBytes))
  for (let made = 0; made < bytes; made += memberBytes) yield part
}

function* oneFile(bytes: number, compress: Compress): Generator<Buffer> {
  yield compress(tarHeader({ name: 'zeros', size: wide(bytes) }))
  yield* zeros(bytes, compress)
  yield compress(tarEnd)
}

/** Too large for octal digits. */
function wide(bytes: number): Buffer {
  const field = Buffer.alloc(12)
  field[0] = 0x80
  field.writeBigUInt64BE(BigInt(bytes), 4)
  return field
}

function* manyFiles(count: number): Generator<Buffer> {
  for (let index = 0; index < count; index += 1000) {
    yield tarPart(...Array.from({ length: 1000 }, (_, offset) => tarHeader({ name: `f${index + offset}` })))
  }
  yield tarEnd
}

/** Built once and repeated. */
function* oneFileRepeated(count: number): Generator<Buffer> {
  const part = tarPart(...Array.from({ length: 1000 }, () => tarHeader({ name: 'f' })))
  for (let made = 0; made < count; made += 1000) yield part
  yield tarEnd
}

function* longNames(count: number): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) {
    const part = String(index).padStart(240, 'x')
    yield tarPart(gnuLong(`${part}/${part}/${part}/${part}`), { name: 'x', dialect: 'gnu' })
  }
  yield tarEnd
}

/** The same small file, with the largest extended header, again and again. */
function* manyComments(compress: Compress): Generator<Buffer> {
  const parts = compress(
    tarPart(...Array.from({ length: 100 }, () => tarPart(pax([['comment', 'x'.repeat(60_000)]]), { name: 'f' }))),
  )
  for (let index = 0; index < 1990; index += 1) yield parts
}

const plenty = 2 ** 50

export const bombs: readonly Bomb[] = [
  {
    name: 'one file of 10 GiB in gzip',
    fileName: 'a.tar.gz',
    message: '200 times',
    availableBytes: plenty,
    parts: () => oneFile(10 * GiB, gzip),
  },
  {
    name: 'one file of 10 GiB in zstd',
    fileName: 'a.tar.zst',
    message: '200 times',
    availableBytes: plenty,
    parts: () => oneFile(10 * GiB, zstd),
  },
  {
    name: '10 GiB behind the end mark',
    fileName: 'a.tar.zst',
    message: '200 times',
    availableBytes: plenty,
    parts: () => zeros(10 * GiB, zstd),
  },
  {
    name: 'one file of 10 GiB where 1 GiB is free',
    fileName: 'a.tar.gz',
    message: 'bytes free',
    availableBytes: GiB,
    parts: () => oneFile(10 * GiB, gzip),
  },
  {
    name: '200,001 files',
    fileName: 'a.tar',
    message: 'more than 200000',
    availableBytes: plenty,
    parts: () => manyFiles(201_000),
  },
  {
    name: '200,001 times the same file',
    fileName: 'a.tar',
    message: 'more than 200000',
    availableBytes: plenty,
    parts: () => oneFileRepeated(201_000),
  },
  {
    name: 'names that fill the memory',
    fileName: 'a.tar',
    message: 'names take more',
    availableBytes: plenty,
    parts: () => longNames(199_000),
  },
  {
    name: 'extended headers without end',
    fileName: 'a.tar.zst',
    message: '200 times',
    availableBytes: plenty,
    parts: () => manyComments(zstd),
  },
]
