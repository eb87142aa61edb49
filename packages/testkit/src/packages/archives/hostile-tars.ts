import type { HostileArchive } from './hostile-archive.ts'
import { hostileHeadersInTars } from './hostile-tar-headers.ts'
import { hostileLinksInTars } from './hostile-tar-links.ts'
import { hostileNamesInTars } from './hostile-tar-names.ts'
import { hostileSparseFilesInTars } from './hostile-tar-sparse.ts'
import { file, folder, padded, pax, tarEnd, tarHeader, tarItem, tarOf, tarPart } from './tar-builder.ts'

const honest = tarPart(folder('a'), file('a/x'))

const ends: HostileArchive[] = [
  {
    name: 'cut in a header',
    message: 'ends before',
    build: () => tarPart(honest, tarHeader(file('y')).subarray(0, 300)),
  },
  {
    name: 'cut in the data',
    message: 'ends before',
    build: () => Buffer.concat([honest, tarHeader(file('y', 'z'.repeat(5000))), Buffer.alloc(700, 'z')]),
  },
  { name: 'cut after an entry', message: 'ends before', build: () => honest },
  {
    name: 'cut in an extended header',
    message: 'ends before',
    build: () => tarPart(honest, tarHeader(pax([['path', 'x'.repeat(900)]])), Buffer.alloc(512, 'x')),
  },
  {
    name: 'data behind the end mark',
    message: 'follows the end mark',
    build: () => Buffer.concat([honest, tarEnd, Buffer.from('x')]),
  },
  {
    name: 'a second archive behind the end mark',
    message: 'follows the end mark',
    build: () => Buffer.concat([honest, tarEnd, tarOf(file('../x'))]),
  },
  {
    name: 'one zero block, then an entry',
    message: 'follows the end mark',
    build: () => Buffer.concat([honest, Buffer.alloc(512), tarOf(file('../x'))]),
  },
  {
    name: 'broken checksum',
    message: 'no header follows entry "a/x"',
    build: () => {
      const next = tarItem(file('y'))
      next.write('z', 0)
      return tarOf(honest, next)
    },
  },
  { name: 'text instead of a header', message: 'no header', build: () => tarOf(honest, padded('x'.repeat(600))) },
  {
    name: 'text called .tar',
    message: 'its name ends like an archive',
    build: () => Buffer.from('hello '.repeat(1000)),
  },
  { name: 'nothing called .tar', message: 'its name ends like an archive', build: () => Buffer.alloc(0) },
  {
    name: 'short text called .tar.gz',
    message: 'its name ends like an archive',
    fileName: 'package.tar.gz',
    build: () => Buffer.from('hi'),
  },
  {
    name: 'text called .zip',
    message: 'its name ends like an archive',
    fileName: 'PACKAGE.ZIP',
    build: () => Buffer.from('hello '.repeat(1000)),
  },
  {
    name: 'broken first header called .tar',
    message: 'its name ends like an archive',
    build: () => {
      const tar = tarOf(file('x'))
      tar.write('y', 0)
      return tar
    },
  },
  {
    name: 'zero block and then text called .tar',
    message: 'follows the end mark',
    build: () => Buffer.concat([Buffer.alloc(512), Buffer.from('x'.repeat(600))]),
  },
]

export const hostileTars: readonly HostileArchive[] = [
  ...hostileNamesInTars,
  ...hostileLinksInTars,
  ...hostileHeadersInTars,
  ...hostileSparseFilesInTars,
  ...ends,
]
