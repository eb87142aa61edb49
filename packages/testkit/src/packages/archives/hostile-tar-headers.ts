import type { HostileArchive } from './hostile-archive.ts'
import { file, folder, gnuLong, hardLink, pax, symlink, tarItem, tarOf } from './tar-builder.ts'

const kinds: HostileArchive[] = [
  { name: 'character device', message: 'device', build: () => tarOf({ name: 'null', type: '3' }) },
  { name: 'block device', message: 'device', build: () => tarOf({ name: 'sda', type: '4' }) },
  { name: 'FIFO', message: 'FIFO', build: () => tarOf({ name: 'pipe', type: '6' }) },
  { name: 'unknown type', message: 'type "Z"', build: () => tarOf({ ...file('x'), type: 'Z' }) },
  {
    name: 'part of a divided file',
    message: 'type "M"',
    build: () => tarOf({ ...file('x'), type: 'M', dialect: 'gnu' }),
  },
  {
    name: 'listing of a backup',
    message: 'type "D"',
    build: () => tarOf({ ...file('x/'), type: 'D', dialect: 'gnu' }),
  },
  { name: 'label of a volume', message: 'type "V"', build: () => tarOf({ name: 'label', type: 'V', dialect: 'gnu' }) },
  { name: 'extended header of Solaris', message: 'type "X"', build: () => tarOf({ ...file('x'), type: 'X' }) },
  {
    name: 'old long name of GNU',
    message: 'type "N"',
    build: () => tarOf({ ...file('x'), type: 'N', dialect: 'gnu' }),
  },
  {
    name: 'incremental backup in PAX',
    message: 'backup',
    build: () => tarOf(pax([['GNU.dumpdir', 'Yx\0\0']]), folder('a')),
  },
]

const sizes: HostileArchive[] = [
  {
    name: 'folder with a size',
    message: 'has a size',
    build: () => tarOf({ ...folder('a'), data: tarItem(file('../x')) }),
  },
  {
    name: 'link with a size',
    message: 'has a size',
    build: () => tarOf({ ...symlink('l', 'x'), data: tarItem(file('../x')) }),
  },
  {
    name: 'hard link with a size',
    message: 'has a size',
    build: () => tarOf(file('x'), { ...hardLink('h', 'x'), data: tarItem(file('../x')) }),
  },
  {
    name: 'file with a folder name and a size',
    message: 'has a size',
    build: () => tarOf({ name: 'a/', data: tarItem(file('../x')) }),
  },
  {
    name: 'negative size',
    message: 'invalid size',
    build: () => tarOf({ ...file('x'), size: Buffer.alloc(12, 0xff) }),
  },
  {
    name: 'size beyond 2^53',
    message: 'an invalid size',
    build: () =>
      tarOf({ ...file('x'), size: Buffer.from([0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) }),
  },
  {
    name: 'size that is not octal',
    message: 'an invalid size',
    build: () => tarOf({ ...file('x'), size: Buffer.from('00000000099\0') }),
  },
  {
    name: 'size with a sign',
    message: 'an invalid size',
    build: () => tarOf({ ...file('x'), size: Buffer.from('-0000000001\0') }),
  },
  {
    name: 'size of spaces',
    message: 'an invalid size',
    build: () => tarOf({ ...file('x'), size: Buffer.from(' '.repeat(12)) }),
  },
  {
    name: 'size behind a NUL',
    message: 'an invalid size',
    build: () => tarOf({ ...file('x'), size: Buffer.from('\x000000001000\0', 'latin1') }),
  },
  {
    name: 'PAX size that hides an entry',
    message: 'two sizes',
    build: () => tarOf(pax([['size', '0']]), { name: 'x', data: tarItem(file('../x')) }),
  },
  {
    name: 'header size that hides an entry',
    message: 'two sizes',
    build: () => tarOf(pax([['size', '1024']]), { name: 'x', size: 0, data: tarItem(file('../x')) }),
  },
  {
    name: 'PAX size that is not a number',
    message: 'invalid size',
    build: () => tarOf(pax([['size', '0x6']]), file('x')),
  },
  { name: 'size beyond the end', message: 'ends before', build: () => tarOf({ ...file('x'), size: 1_000_000 }) },
  {
    name: 'size beyond 8 GiB, and nothing there',
    message: 'ends before',
    build: () => tarOf(pax([['size', String(8 ** 11)]]), { ...file('x'), size: 0 }),
  },
  {
    name: 'more than the free space',
    message: 'bytes free',
    availableBytes: 1000,
    build: () => tarOf(file('a', 'x'.repeat(600)), file('b', 'x'.repeat(600))),
  },
  {
    name: 'header that promises more than the free space',
    message: 'bytes free',
    availableBytes: 1 << 30,
    build: () => tarOf({ ...file('x'), size: 2 ** 31 }),
  },
]

const extensions: HostileArchive[] = [
  { name: 'huge PAX header', message: '65536', build: () => tarOf(pax([['comment', 'x'.repeat(1 << 20)]]), file('x')) },
  { name: 'PAX header that claims 8 GiB', message: '65536', build: () => tarOf({ ...pax([]), size: 8 ** 11 - 1 }) },
  { name: 'GNU long name that claims 1 GiB', message: '65536', build: () => tarOf({ ...gnuLong('x'), size: 1 << 30 }) },
  {
    name: 'PAX path twice',
    message: 'twice',
    build: () =>
      tarOf(
        pax([
          ['path', 'a'],
          ['path', '../x'],
        ]),
        file('x'),
      ),
  },
  {
    name: 'PAX size twice',
    message: 'twice',
    build: () =>
      tarOf(
        pax([
          ['size', '6'],
          ['size', '0'],
        ]),
        file('x'),
      ),
  },
  {
    name: 'PAX record with a wrong length',
    message: 'wrong length',
    build: () => tarOf({ ...pax([]), data: '99 path=x\n' }, file('x')),
  },
  {
    name: 'PAX record that is too short',
    message: 'wrong length',
    build: () => tarOf({ ...pax([]), data: '5 path=x\n' }, file('x')),
  },
  {
    name: 'PAX record without a length',
    message: 'without a length',
    build: () => tarOf({ ...pax([]), data: 'path=x\n' }, file('x')),
  },
  {
    name: 'PAX record of length 0',
    message: 'without a length',
    build: () => tarOf({ ...pax([]), data: '0 path=x\n' }, file('x')),
  },
  {
    name: 'PAX record with a signed length',
    message: 'without a length',
    build: () => tarOf({ ...pax([]), data: '+10 path=x\n' }, file('x')),
  },
  {
    name: 'PAX record without a key',
    message: 'without a key',
    build: () => tarOf({ ...pax([]), data: '5 =x\n' }, file('x')),
  },
  {
    name: 'PAX record without a value',
    message: 'without a key',
    build: () => tarOf({ ...pax([]), data: '8 pathx\n' }, file('x')),
  },
  {
    name: 'PAX record and something behind it',
    message: 'without a length',
    build: () => tarOf({ ...pax([]), data: '10 path=x\n\0\0' }, file('x')),
  },
  { name: 'path for all entries', message: 'global', build: () => tarOf(pax([['path', '../x']], 'g'), file('x')) },
  { name: 'size for all entries', message: 'global', build: () => tarOf(pax([['size', '0']], 'g'), file('x')) },
  {
    name: 'two PAX headers for one entry',
    message: 'two extended',
    build: () => tarOf(pax([['path', 'a']]), pax([['path', 'b']]), file('x')),
  },
  {
    name: 'two GNU long names for one entry',
    message: 'two extended',
    build: () => tarOf(gnuLong('a'), gnuLong('b'), file('x')),
  },
  {
    name: 'GNU long name and PAX path',
    message: 'two long names',
    build: () => tarOf(gnuLong('a'), pax([['path', 'b']]), file('x')),
  },
  {
    name: 'GNU long target and PAX target',
    message: 'two long names',
    build: () => tarOf(pax([['linkpath', 'b']]), gnuLong('a', 'K'), symlink('l', 'x')),
  },
  {
    name: 'global header in between',
    message: 'global',
    build: () => tarOf(pax([['path', 'a']]), pax([['comment', 'c']], 'g'), file('x')),
  },
  {
    name: 'extended header and no entry',
    message: 'after an extended header',
    build: () => tarOf(file('x'), pax([['path', 'a']])),
  },
]

export const hostileHeadersInTars: readonly HostileArchive[] = [...kinds, ...sizes, ...extensions]
