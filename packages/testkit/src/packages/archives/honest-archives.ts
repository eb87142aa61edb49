import { gzipSync, zstdCompressSync } from 'node:zlib'
import {
  file,
  folder,
  gnuLong,
  hardLink,
  newSparse,
  oldSparse,
  pax,
  symlink,
  tarEnd,
  tarHeader,
  tarOf,
  tarPart,
} from './tar-builder.ts'
import { unicodePath, wideSizes, zipOf } from './zip-builder.ts'

/** An archive that is unusual but honest, and what must be found in it. */
export interface HonestArchive {
  readonly name: string
  readonly fileName?: string
  readonly build: () => Buffer
  readonly entries: number
  readonly unpackedBytes: number
  /** Default: `tar`. */
  readonly format?: 'tar' | 'tar.gz' | 'tar.zst' | 'zip' | 'file'
}

const longName = `${'folder-with-a-long-name/'.repeat(40)}file`
const cut = Buffer.from(longName).subarray(0, 100)

export const honestArchives: readonly HonestArchive[] = [
  {
    name: 'setuid, setgid and sticky bits',
    entries: 2,
    unpackedBytes: 6,
    build: () => tarOf({ ...file('a'), mode: 0o6755 }, { ...folder('t'), mode: 0o1777 }),
  },
  {
    name: 'archives in it',
    entries: 2,
    unpackedBytes: 2048 + gzipSync('x').length,
    build: () => tarOf(file('in.tar', tarOf(file('../x'))), file('in.gz', gzipSync('x'))),
  },
  {
    name: 'names that differ in case only',
    entries: 3,
    unpackedBytes: 18,
    build: () => tarOf(file('README'), file('readme'), file('ReadMe')),
  },
  {
    name: 'strange characters',
    entries: 7,
    unpackedBytes: 42,
    build: () => tarOf(...['a\nb', 'c:\\d', '．．／x', '-rf', '~root', ' ', '$(id)`id`'].map((name) => file(name))),
  },
  {
    name: 'more dots than two',
    entries: 3,
    unpackedBytes: 18,
    build: () => tarOf(file('...'), file('..a'), file('a..')),
  },
  {
    name: 'slashes and dots in names',
    entries: 3,
    unpackedBytes: 12,
    build: () => tarOf({ name: './', type: '5' }, file('.//a'), file('./b/././c')),
  },
  { name: 'folders that are not listed', entries: 1, unpackedBytes: 6, build: () => tarOf(file('a/b/c/d')) },
  {
    name: 'long name in PAX',
    entries: 1,
    unpackedBytes: 6,
    build: () =>
      tarOf(
        pax([
          ['path', longName],
          ['mtime', '1700000000.123456789'],
          ['SCHILY.xattr.user.x', Buffer.from([0, 255, 10])],
        ]),
        { ...file('x'), name: cut },
      ),
  },
  {
    name: 'long name of GNU',
    entries: 1,
    unpackedBytes: 6,
    build: () => tarOf(gnuLong(longName), { ...file('x'), name: cut, dialect: 'gnu' }),
  },
  {
    name: 'long name in the prefix of ustar',
    entries: 1,
    unpackedBytes: 6,
    build: () => tarOf({ ...file('x'), prefix: 'a'.repeat(150) }),
  },
  {
    name: 'link that is called like a folder behind its prefix',
    entries: 3,
    unpackedBytes: 6,
    build: () => tarOf({ ...symlink('lib', '../lib'), prefix: 'a' }, folder('lib'), file('lib/x')),
  },
  {
    name: 'long target in PAX',
    entries: 2,
    unpackedBytes: 6,
    build: () =>
      tarOf(
        { ...file('f'), prefix: `${'b/'.repeat(60)}c` },
        pax([['linkpath', `${'b/'.repeat(60)}c/f`]]),
        symlink('l', `${'b/'.repeat(50)}`),
      ),
  },
  {
    name: 'comment for all entries, as git writes it',
    entries: 1,
    unpackedBytes: 6,
    build: () => tarOf(pax([['comment', '0'.repeat(40)]], 'g'), file('x')),
  },
  {
    name: 'links inside',
    entries: 6,
    unpackedBytes: 6,
    build: () =>
      tarOf(
        folder('a'),
        file('a/x'),
        symlink('l', 'a/x'),
        symlink('a/up', '../l'),
        symlink('top', '.'),
        symlink('a/b', '../a/../l'),
      ),
  },
  {
    name: 'link to what is not there, and to itself',
    entries: 2,
    unpackedBytes: 0,
    build: () => tarOf(symlink('l', 'nowhere'), symlink('m', 'm')),
  },
  {
    name: 'hard link inside',
    entries: 3,
    unpackedBytes: 6,
    build: () => tarOf(folder('a'), file('a/x'), hardLink('h', './a/x')),
  },
  {
    name: 'file that was appended again',
    entries: 2,
    unpackedBytes: 9,
    build: () => tarOf(file('a', 'old'), file('a', 'newer!')),
  },
  { name: 'folder listed twice', entries: 2, unpackedBytes: 0, build: () => tarOf(folder('a'), folder('a')) },
  {
    name: 'header of the seventies',
    entries: 2,
    unpackedBytes: 6,
    build: () => tarOf({ name: 'a/', dialect: 'old' }, { ...file('a/x'), dialect: 'old' }),
  },
  { name: 'contiguous file', entries: 1, unpackedBytes: 6, build: () => tarOf({ ...file('x'), type: '7' }) },
  {
    name: 'size in binary',
    entries: 1,
    unpackedBytes: 6,
    build: () => tarOf({ ...file('x'), size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6]) }),
  },
  {
    name: 'sparse file of the oldest form',
    entries: 1,
    unpackedBytes: 1024,
    build: () =>
      tarOf(
        oldSparse(
          's',
          [
            [0, 512],
            [1 << 20, 512],
            [2 << 20, 0],
          ],
          2 << 20,
        ),
      ),
  },
  {
    name: 'sparse file of the newest form',
    entries: 1,
    unpackedBytes: 5,
    build: () => tarOf(newSparse('s', '2\n0\n5\n1048576\n0\n', 'hello', 1 << 20)),
  },
  {
    name: 'nothing but a hole',
    entries: 1,
    unpackedBytes: 0,
    build: () => tarOf(newSparse('s', '1\n1048576\n0\n', '', 1 << 20)),
  },
  {
    name: 'sparse file listed in PAX',
    entries: 1,
    unpackedBytes: 5,
    build: () =>
      tarOf(
        pax([
          ['GNU.sparse.size', '1048576'],
          ['GNU.sparse.numblocks', '2'],
          ['GNU.sparse.name', 's'],
          ['GNU.sparse.map', '0,5,1048576,0'],
        ]),
        file('GNUSparseFile.1/s', 'hello'),
      ),
  },
  { name: 'empty archive', entries: 0, unpackedBytes: 0, build: () => Buffer.alloc(10_240) },
  {
    name: 'end mark of one block',
    entries: 1,
    unpackedBytes: 6,
    build: () => Buffer.concat([tarPart(file('x')), Buffer.alloc(512)]),
  },
  {
    name: 'many zeros behind the end',
    entries: 1,
    unpackedBytes: 6,
    build: () => Buffer.concat([tarOf(file('x')), Buffer.alloc(100_001)]),
  },
  { name: 'tar under another name', fileName: 'blob.bin', entries: 1, unpackedBytes: 6, build: () => tarOf(file('x')) },
  {
    name: 'gzip in several members',
    fileName: 'a.tgz',
    format: 'tar.gz',
    entries: 2,
    unpackedBytes: 12,
    build: () => Buffer.concat([gzipSync(tarPart(file('x'))), gzipSync(tarPart(file('y'))), gzipSync(tarEnd)]),
  },
  {
    name: 'gzip with a name and a comment',
    fileName: 'a.TAR.GZ',
    format: 'tar.gz',
    entries: 1,
    unpackedBytes: 6,
    build: () => withGzipName(gzipSync(tarOf(file('x')))),
  },
  {
    name: 'zstd that starts with an empty frame',
    fileName: 'a.tar.zst',
    format: 'tar.zst',
    entries: 1,
    unpackedBytes: 6,
    build: () =>
      Buffer.concat([
        Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]),
        zstdCompressSync(tarOf(file('x'))),
      ]),
  },
  {
    name: 'zstd in several frames',
    fileName: 'a.tar.zst',
    format: 'tar.zst',
    entries: 2,
    unpackedBytes: 12,
    build: () => Buffer.concat([zstdCompressSync(tarPart(file('x'))), zstdCompressSync(tarOf(file('y')))]),
  },
  {
    name: 'very well compressed',
    fileName: 'a.tar.gz',
    format: 'tar.gz',
    entries: 1,
    unpackedBytes: 50_000_000,
    build: () =>
      gzipSync(Buffer.concat([tarHeader({ name: 'z', size: 50_000_000 }), Buffer.alloc(50_000_256), tarEnd])),
  },
  {
    name: 'plain file',
    fileName: 'a.qcow2',
    format: 'file',
    entries: 0,
    unpackedBytes: 0,
    build: () => Buffer.from('QFI\xfb'.repeat(1000), 'latin1'),
  },
  {
    name: 'file of zeros',
    fileName: 'disk.img',
    format: 'file',
    entries: 0,
    unpackedBytes: 0,
    build: () => Buffer.alloc(100_000),
  },
  { name: 'empty file', fileName: 'empty', format: 'file', entries: 0, unpackedBytes: 0, build: () => Buffer.alloc(0) },
  {
    name: 'gzip of a file',
    fileName: 'log.gz',
    format: 'file',
    entries: 0,
    unpackedBytes: 0,
    build: () => gzipSync('hello '.repeat(5000)),
  },
  {
    name: 'broken gzip under another name',
    fileName: 'log.gz',
    format: 'file',
    entries: 0,
    unpackedBytes: 0,
    build: () => Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08]), Buffer.alloc(5000, 'x')]),
  },
  {
    name: 'zstd of a file',
    fileName: 'log.zst',
    format: 'file',
    entries: 0,
    unpackedBytes: 0,
    build: () => zstdCompressSync(Buffer.from('hello '.repeat(5000))),
  },
  {
    name: 'zip',
    fileName: 'a.zip',
    format: 'zip',
    entries: 4,
    unpackedBytes: 13,
    build: () =>
      zipOf([
        { name: 'a/', mode: 0o040755 },
        { name: 'a/run.sh', data: 'hello', method: 8, mode: 0o104755 },
        { name: 'l', data: 'a/run.sh', mode: 0o120777 },
        { name: '中文.txt', data: '' },
      ]),
  },
  {
    name: 'zip with sizes behind the data',
    fileName: 'a.zip',
    format: 'zip',
    entries: 1,
    unpackedBytes: 5,
    build: () => zipOf([{ name: 'x', data: 'hello', flags: 0x808, local: { crc: 0, compressed: 0, uncompressed: 0 } }]),
  },
  {
    name: 'zip with wide sizes',
    fileName: 'a.zip',
    format: 'zip',
    entries: 1,
    unpackedBytes: 5,
    build: () =>
      zipOf([
        {
          name: 'x',
          data: 'hello',
          declared: { compressed: 0xffffffff, uncompressed: 0xffffffff, extra: wideSizes(5, 5) },
          local: { compressed: 0xffffffff, uncompressed: 0xffffffff, extra: wideSizes(5, 5) },
        },
      ]),
  },
  {
    name: 'zip with a second name',
    fileName: 'a.zip',
    format: 'zip',
    entries: 1,
    unpackedBytes: 5,
    build: () => zipOf([{ name: '#U4e2d', data: 'hello', flags: 0, extra: unicodePath('#U4e2d', '中') }]),
  },
  {
    name: 'zip with a comment',
    fileName: 'a.zip',
    format: 'zip',
    entries: 1,
    unpackedBytes: 5,
    build: () => zipOf([{ name: 'x', data: 'hello' }], { comment: Buffer.from('made by hand') }),
  },
  {
    name: 'zip with a folder of unknown mode',
    fileName: 'a.zip',
    format: 'zip',
    entries: 1,
    unpackedBytes: 0,
    build: () => zipOf([{ name: 'META-INF/', mode: 0o177777, dosAttributes: 0x10 }]),
  },
  { name: 'empty zip', fileName: 'a.zip', format: 'zip', entries: 0, unpackedBytes: 0, build: () => zipOf([]) },
]

/** The header of gzip may carry the name of the file. */
function withGzipName(gz: Buffer): Buffer {
  const head = Buffer.from(gz.subarray(0, 10))
  head[3] = 0x08
  return Buffer.concat([head, Buffer.from('package.tar\0'), gz.subarray(10)])
}
