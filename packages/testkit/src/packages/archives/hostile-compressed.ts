import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { HostileArchive } from './hostile-archive.ts'
import { file, tarOf } from './tar-builder.ts'

const tar = tarOf(file('a', 'hello '.repeat(2000)))
const gz = () => gzipSync(tar)
const zst = () => zstdCompressSync(tar)

function changed(bytes: Buffer, fromEnd: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length - fromEnd] = (copy[copy.length - fromEnd] as number) ^ 0xff
  return copy
}

const tgz = 'package.tar.gz'
const tzst = 'package.tar.zst'

export const hostileCompressed: readonly HostileArchive[] = [
  { name: 'cut gzip', fileName: tgz, message: 'gzip data is broken', build: () => gz().subarray(0, -20) },
  {
    name: 'gzip cut in its last bytes',
    fileName: tgz,
    message: 'gzip data is broken',
    build: () => gz().subarray(0, -4),
  },
  { name: 'gzip with a wrong checksum', fileName: tgz, message: 'gzip data is broken', build: () => changed(gz(), 7) },
  { name: 'gzip with a wrong length', fileName: tgz, message: 'gzip data is broken', build: () => changed(gz(), 2) },
  {
    name: 'text behind gzip',
    fileName: tgz,
    message: 'gzip data is broken',
    build: () => Buffer.concat([gz(), Buffer.from('text')]),
  },
  {
    name: 'zeros and text behind gzip',
    fileName: tgz,
    message: 'something follows',
    build: () => Buffer.concat([gz(), Buffer.from('\0\0\0text')]),
  },
  {
    name: 'second gzip with another archive',
    fileName: tgz,
    message: 'follows the end mark',
    build: () => Buffer.concat([gz(), gzipSync(tarOf(file('../x')))]),
  },
  { name: 'gzip of text', fileName: tgz, message: 'contains no tar', build: () => gzipSync('hello '.repeat(500)) },
  { name: 'gzip of little', fileName: 'package.tgz', message: 'contains no tar', build: () => gzipSync('hello') },
  { name: 'gzip in gzip', fileName: tgz, message: 'contains no tar', build: () => gzipSync(gz()) },
  {
    name: 'gzip that is nothing but its first bytes',
    fileName: tgz,
    message: 'gzip data is broken',
    build: () => Buffer.from([0x1f, 0x8b, 0x08]),
  },
  { name: 'hostile tar in gzip', fileName: tgz, message: '".."', build: () => gzipSync(tarOf(file('../x'))) },
  {
    name: 'hostile tar in gzip under another name',
    fileName: 'blob.bin',
    message: '".."',
    build: () => gzipSync(tarOf(file('../x'))),
  },
  {
    name: 'cut gzip of a tar under another name',
    fileName: 'blob.bin',
    message: 'gzip data is broken',
    build: () => gz().subarray(0, -20),
  },
  { name: 'cut zstd', fileName: tzst, message: 'zstd data is broken', build: () => zst().subarray(0, -6) },
  {
    name: 'text behind zstd',
    fileName: tzst,
    message: 'zstd data is broken',
    build: () => Buffer.concat([zst(), Buffer.from('text')]),
  },
  {
    name: 'zeros behind zstd',
    fileName: tzst,
    message: 'zstd data is broken',
    build: () => Buffer.concat([zst(), Buffer.alloc(512)]),
  },
  {
    name: 'zstd of text',
    fileName: tzst,
    message: 'contains no tar',
    build: () => zstdCompressSync(Buffer.from('hello '.repeat(500))),
  },
  {
    name: 'hostile tar in zstd',
    fileName: tzst,
    message: 'absolute',
    build: (outside) => zstdCompressSync(tarOf(file(`${outside}/x`))),
  },
  {
    name: 'second zstd frame with another archive',
    fileName: tzst,
    message: 'follows the end mark',
    build: () => Buffer.concat([zst(), zstdCompressSync(tarOf(file('../x')))]),
  },
]
