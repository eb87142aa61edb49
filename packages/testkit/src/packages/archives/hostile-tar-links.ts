import type { HostileArchive } from './hostile-archive.ts'
import { file, folder, gnuLong, hardLink, pax, symlink, tarOf } from './tar-builder.ts'

const long = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)

export const hostileLinksInTars: readonly HostileArchive[] = [
  { name: 'absolute link', says: 'leaves', build: (outside) => tarOf(symlink('l', `${outside}/x`)) },
  { name: 'link above', says: 'leaves', build: () => tarOf(symlink('l', '../x')) },
  { name: 'link above from a folder', says: 'leaves', build: () => tarOf(folder('a'), symlink('a/l', '../../x')) },
  { name: 'link above by a detour', says: 'leaves', build: () => tarOf(symlink('l', 'a/../../x')) },
  {
    name: 'link out, then a write through it',
    says: 'leaves',
    build: (outside) => tarOf(symlink('l', outside), file('l/x')),
  },
  {
    name: 'link inside, then a write through it',
    says: 'goes through "l"',
    build: () => tarOf(folder('d'), symlink('l', 'd'), file('l/x')),
  },
  {
    name: 'two links, then a write through both',
    says: 'goes through',
    build: () => tarOf(folder('d'), symlink('l', 'd'), symlink('m', 'l'), file('m/x')),
  },
  {
    name: 'link to the root, then a write through it',
    says: 'goes through',
    build: () => tarOf(symlink('l', '.'), file('l/x')),
  },
  {
    name: 'link through a link that stands higher up',
    says: 'goes through',
    build: () => tarOf(folder('a/b/c'), symlink('a/b/c/s', '../../../top'), symlink('t', 'a/b/c/s/../../x')),
  },
  {
    name: 'the same, in the other order',
    says: 'twice',
    build: () => tarOf(folder('a/b/c'), symlink('t', 'a/b/c/s/../../x'), symlink('a/b/c/s', '../../../top')),
  },
  {
    name: 'folder that becomes a link',
    says: 'twice',
    build: () => tarOf(folder('d'), folder('a'), symlink('d', 'a'), file('d/x')),
  },
  {
    name: 'unlisted folder that becomes a link',
    says: 'twice',
    build: () => tarOf(file('d/x'), symlink('d', 'a')),
  },
  { name: 'link that becomes a folder', says: 'twice', build: () => tarOf(symlink('d', 'a'), folder('d')) },
  { name: 'link that becomes a file', says: 'twice', build: () => tarOf(symlink('d', 'a'), file('d')) },
  { name: 'file that becomes a link', says: 'twice', build: () => tarOf(file('d'), symlink('d', 'a')) },
  { name: 'link with two targets', says: 'twice', build: () => tarOf(symlink('l', 'a'), symlink('l', 'b')) },
  {
    name: 'PAX target out under a harmless one',
    says: 'leaves',
    build: (outside) => tarOf(pax([['linkpath', outside]]), symlink('l', 'x')),
  },
  {
    name: 'target out under a harmless PAX target',
    says: 'leaves',
    build: (outside) => tarOf(pax([['linkpath', 'x']]), symlink('l', outside)),
  },
  { name: 'GNU long target out', says: 'leaves', build: (outside) => tarOf(gnuLong(outside, 'K'), symlink('l', 'x')) },
  {
    name: 'write through the second name of a link',
    says: 'goes through',
    build: () => tarOf(folder('d'), pax([['path', 'harmless']]), symlink('l', 'd'), file('l/x')),
  },
  {
    name: 'write through the cut name of a link',
    says: 'goes through',
    build: () => tarOf(folder('d'), pax([['path', 'link']]), symlink('l', 'd'), file('l/x')),
  },
  {
    name: 'second name that goes through a link',
    says: 'goes through',
    build: () => tarOf(folder('d'), symlink('l', 'd'), pax([['path', 'harmless']]), file('l/x')),
  },
  { name: 'link to nothing', says: 'to nothing', build: () => tarOf(symlink('l', '')) },
  { name: 'link in place of the root', says: 'whole archive', build: () => tarOf(symlink('./', 'a')) },
  { name: 'target of 1025 bytes', says: '1024', build: () => tarOf(gnuLong(long('a/', 1025), 'K'), symlink('l', 'x')) },
  { name: 'absolute hard link', says: 'absolute', build: (outside) => tarOf(hardLink('h', `${outside}/secret`)) },
  { name: 'hard link above', says: '".."', build: () => tarOf(hardLink('h', '../secret')) },
  { name: 'hard link to what is not there', says: 'no file', build: () => tarOf(hardLink('h', 'etc/passwd')) },
  { name: 'hard link to what comes later', says: 'no file', build: () => tarOf(hardLink('h', 'x'), file('x')) },
  {
    name: 'hard link to a link',
    says: 'no file',
    build: () => tarOf(folder('a'), symlink('a/l', '../x'), hardLink('h', 'a/l')),
  },
  { name: 'hard link to a folder', says: 'no file', build: () => tarOf(folder('a'), hardLink('h', 'a')) },
  {
    name: 'hard link through a link',
    says: 'no file',
    build: () => tarOf(folder('d'), file('d/x'), symlink('l', 'd'), hardLink('h', 'l/x')),
  },
  {
    name: 'PAX target of a hard link out',
    says: 'absolute',
    build: (outside) => tarOf(file('x'), pax([['linkpath', `${outside}/secret`]]), hardLink('h', 'x')),
  },
  {
    name: 'hard link out under a harmless PAX target',
    says: 'to some programs',
    build: (outside) => tarOf(file('x'), pax([['linkpath', 'x']]), hardLink('h', `${outside}/secret`)),
  },
  {
    name: 'file that becomes a hard link',
    says: 'twice',
    build: () => tarOf(file('x'), file('y'), hardLink('y', 'x')),
  },
  { name: 'file below a file', says: 'goes through', build: () => tarOf(file('a'), file('a/b')) },
]
