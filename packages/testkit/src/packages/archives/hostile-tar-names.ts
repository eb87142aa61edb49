import type { HostileArchive } from './hostile-archive.ts'
import { file, folder, gnuLong, newSparse, pax, symlink, tarOf } from './tar-builder.ts'

const long = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)

export const hostileNamesInTars: readonly HostileArchive[] = [
  { name: 'absolute name', says: 'absolute', build: (outside) => tarOf(file(`${outside}/x`)) },
  { name: 'absolute folder', says: 'absolute', build: (outside) => tarOf(folder(`${outside}/x`)) },
  { name: '.. first', says: '".."', build: () => tarOf(file('../x')) },
  { name: '.. in the middle', says: '".."', build: () => tarOf(folder('a'), file('a/../../x')) },
  { name: '.. last', says: '".."', build: () => tarOf(folder('a/..')) },
  { name: 'only ..', says: '".."', build: () => tarOf({ name: '..', type: '5' }) },
  { name: '.. behind a dot', says: '".."', build: () => tarOf(file('./../x')) },
  { name: '.. between many slashes', says: '".."', build: () => tarOf(file('a//..///..//x')) },
  { name: '.. in the prefix of ustar', says: '".."', build: () => tarOf({ ...file('x'), prefix: '..' }) },
  { name: '.. across prefix and name', says: '".."', build: () => tarOf({ ...file('../x'), prefix: 'a' }) },
  { name: 'absolute prefix of ustar', says: 'absolute', build: (outside) => tarOf({ ...file('x'), prefix: outside }) },
  {
    name: 'absolute name behind a harmless prefix',
    says: 'absolute',
    build: (outside) => tarOf({ ...file(`${outside}/x`), prefix: 'a' }),
  },
  { name: '.. in a PAX path', says: '".."', build: () => tarOf(pax([['path', '../x']]), file('x')) },
  {
    name: 'absolute PAX path',
    says: 'absolute',
    build: (outside) => tarOf(pax([['path', `${outside}/x`]]), file('x')),
  },
  {
    name: '.. in the header under a harmless PAX path',
    says: 'to some programs',
    build: () => tarOf(pax([['path', 'x']]), file('../x')),
  },
  {
    name: 'absolute header under a harmless PAX path',
    says: 'to some programs',
    build: (outside) => tarOf(pax([['path', 'x']]), file(`${outside}/x`)),
  },
  {
    name: '.. in a GNU long name',
    says: '".."',
    build: () => tarOf(gnuLong('a/../../x'), { ...file('x'), dialect: 'gnu' }),
  },
  { name: 'absolute GNU long name', says: 'absolute', build: (outside) => tarOf(gnuLong(`${outside}/x`), file('x')) },
  {
    name: 'absolute header under a harmless GNU long name',
    says: 'to some programs',
    build: (outside) => tarOf(gnuLong('x'), file(`${outside}/x`)),
  },
  {
    name: '.. in a prefix that only some programs read',
    says: 'to some programs',
    build: () => tarOf({ ...file('x'), prefix: '../a', dialect: 'old' }),
  },
  {
    name: '.. in the name of a sparse file',
    says: '".."',
    build: () => tarOf(newSparse('../x', '1\n0\n5\n', 'hello', 5)),
  },
  { name: 'NUL in a PAX path', says: 'NUL', build: () => tarOf(pax([['path', 'x\0/../../y']]), file('x')) },
  { name: 'NUL in a GNU long name', says: 'NUL', build: () => tarOf(gnuLong('x\0y'), file('x')) },
  { name: 'NUL in the name field', says: 'NUL', build: () => tarOf(file('x\0../y')) },
  { name: 'NUL in a PAX target', says: 'NUL', build: () => tarOf(pax([['linkpath', 'x\0y']]), symlink('l', 'x')) },
  { name: 'no name', says: 'no name', build: () => tarOf(file('')) },
  { name: 'empty PAX path', says: 'no name', build: () => tarOf(pax([['path', '']]), file('x')) },
  { name: 'name that is not UTF-8', says: 'UTF-8', build: () => tarOf({ name: Buffer.from('caf\xe9', 'latin1') }) },
  {
    name: 'PAX path that is not UTF-8',
    says: 'UTF-8',
    build: () => tarOf(pax([['path', Buffer.from('\xff\xfe', 'latin1')]]), file('x')),
  },
  {
    name: 'overlong UTF-8 for a slash and dots',
    says: 'UTF-8',
    build: () => tarOf({ name: Buffer.from('\xc0\xae\xc0\xae\xc0\xafx', 'latin1') }),
  },
  {
    name: 'target that is not UTF-8',
    says: 'UTF-8',
    build: () => tarOf(pax([['linkpath', Buffer.from('\xff', 'latin1')]]), symlink('l', 'x')),
  },
  {
    name: 'PAX path of 1025 bytes',
    says: '1024',
    build: () => tarOf(pax([['path', long('abcdefgh/', 1025)]]), file('x')),
  },
  {
    name: 'GNU long name of 1025 bytes',
    says: '1024',
    build: () => tarOf(gnuLong(long('abcdefgh/', 1025)), file('x')),
  },
  { name: 'part of 256 bytes', says: '255', build: () => tarOf(gnuLong(`a/${'b'.repeat(256)}`), file('x')) },
  { name: '65 folders deep', says: 'deeper', build: () => tarOf(gnuLong('a/'.repeat(65)), folder('a')) },
  { name: 'file of the root', says: 'whole archive', build: () => tarOf({ name: '.', data: 'x' }) },
]
