import type { HostileArchive } from './hostile-archive.ts'
import { file, folder, gnuLong, newSparse, pax, symlink, tarOf } from './tar-builder.ts'

const long = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)

export const hostileNamesInTars: readonly HostileArchive[] = [
  { name: 'absolute name', message: 'absolute', build: (outside) => tarOf(file(`${outside}/x`)) },
  { name: 'absolute folder', message: 'absolute', build: (outside) => tarOf(folder(`${outside}/x`)) },
  { name: '.. first', message: '".."', build: () => tarOf(file('../x')) },
  { name: '.. in the middle', message: '".."', build: () => tarOf(folder('a'), file('a/../../x')) },
  { name: '.. last', message: '".."', build: () => tarOf(folder('a/..')) },
  { name: 'only ..', message: '".."', build: () => tarOf({ name: '..', type: '5' }) },
  { name: '.. behind a dot', message: '".."', build: () => tarOf(file('./../x')) },
  { name: '.. between many slashes', message: '".."', build: () => tarOf(file('a//..///..//x')) },
  { name: '.. in the prefix of ustar', message: '".."', build: () => tarOf({ ...file('x'), prefix: '..' }) },
  { name: '.. across prefix and name', message: '".."', build: () => tarOf({ ...file('../x'), prefix: 'a' }) },
  {
    name: 'absolute prefix of ustar',
    message: 'absolute',
    build: (outside) => tarOf({ ...file('x'), prefix: outside }),
  },
  {
    name: 'absolute name behind a harmless prefix',
    message: 'absolute',
    build: (outside) => tarOf({ ...file(`${outside}/x`), prefix: 'a' }),
  },
  { name: '.. in a PAX path', message: '".."', build: () => tarOf(pax([['path', '../x']]), file('x')) },
  {
    name: 'absolute PAX path',
    message: 'absolute',
    build: (outside) => tarOf(pax([['path', `${outside}/x`]]), file('x')),
  },
  {
    name: '.. in the header under a harmless PAX path',
    message: 'to some programs',
    build: () => tarOf(pax([['path', 'x']]), file('../x')),
  },
  {
    name: 'absolute header under a harmless PAX path',
    message: 'to some programs',
    build: (outside) => tarOf(pax([['path', 'x']]), file(`${outside}/x`)),
  },
  {
    name: '.. in a GNU long name',
    message: '".."',
    build: () => tarOf(gnuLong('a/../../x'), { ...file('x'), dialect: 'gnu' }),
  },
  {
    name: 'absolute GNU long name',
    message: 'absolute',
    build: (outside) => tarOf(gnuLong(`${outside}/x`), file('x')),
  },
  {
    name: 'absolute header under a harmless GNU long name',
    message: 'to some programs',
    build: (outside) => tarOf(gnuLong('x'), file(`${outside}/x`)),
  },
  {
    name: '.. in a prefix that only some programs read',
    message: 'to some programs',
    build: () => tarOf({ ...file('x'), prefix: '../a', dialect: 'old' }),
  },
  {
    name: '.. in the name of a sparse file',
    message: '".."',
    build: () => tarOf(newSparse('../x', '1\n0\n5\n', 'hello', 5)),
  },
  { name: 'NUL in a PAX path', message: 'NUL', build: () => tarOf(pax([['path', 'x\0/../../y']]), file('x')) },
  { name: 'NUL in a GNU long name', message: 'NUL', build: () => tarOf(gnuLong('x\0y'), file('x')) },
  { name: 'NUL in the name field', message: 'NUL', build: () => tarOf(file('x\0../y')) },
  { name: 'NUL in a PAX target', message: 'NUL', build: () => tarOf(pax([['linkpath', 'x\0y']]), symlink('l', 'x')) },
  { name: 'no name', message: 'no name', build: () => tarOf(file('')) },
  { name: 'empty PAX path', message: 'no name', build: () => tarOf(pax([['path', '']]), file('x')) },
  { name: 'name that is not UTF-8', message: 'UTF-8', build: () => tarOf({ name: Buffer.from('caf\xe9', 'latin1') }) },
  {
    name: 'PAX path that is not UTF-8',
    message: 'UTF-8',
    build: () => tarOf(pax([['path', Buffer.from('\xff\xfe', 'latin1')]]), file('x')),
  },
  {
    name: 'overlong UTF-8 for a slash and dots',
    message: 'UTF-8',
    build: () => tarOf({ name: Buffer.from('\xc0\xae\xc0\xae\xc0\xafx', 'latin1') }),
  },
  {
    name: 'target that is not UTF-8',
    message: 'UTF-8',
    build: () => tarOf(pax([['linkpath', Buffer.from('\xff', 'latin1')]]), symlink('l', 'x')),
  },
  {
    name: 'PAX path of 1025 bytes',
    message: '1024',
    build: () => tarOf(pax([['path', long('abcdefgh/', 1025)]]), file('x')),
  },
  {
    name: 'GNU long name of 1025 bytes',
    message: '1024',
    build: () => tarOf(gnuLong(long('abcdefgh/', 1025)), file('x')),
  },
  { name: 'part of 256 bytes', message: '255', build: () => tarOf(gnuLong(`a/${'b'.repeat(256)}`), file('x')) },
  { name: '65 folders deep', message: 'deeper', build: () => tarOf(gnuLong('a/'.repeat(65)), folder('a')) },
  { name: 'file of the root', message: 'whole archive', build: () => tarOf({ name: '.', data: 'x' }) },
]
