import type { HostileArchive } from './hostile-archive.ts'
import { file, folder, gnuLong, hardLink, pax, symlink, tarOf } from './tar-builder.ts'

const long = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)

export const hostileLinksInTars: readonly HostileArchive[] = [
  { name: 'absolute link', message: 'leaves', build: (outside) => tarOf(symlink('l', `${outside}/x`)) },
  { name: 'link above', message: 'leaves', build: () => tarOf(symlink('l', '../x')) },
  { name: 'link above from a folder', message: 'leaves', build: () => tarOf(folder('a'), symlink('a/l', '../../x')) },
  { name: 'link above by a detour', message: 'leaves', build: () => tarOf(symlink('l', 'a/../../x')) },
  {
    name: 'link out, then a write through it',
    message: 'leaves',
    build: (outside) => tarOf(symlink('l', outside), file('l/x')),
  },
  {
    name: 'link inside, then a write through it',
    message: 'goes through "l"',
    build: () => tarOf(folder('d'), symlink('l', 'd'), file('l/x')),
  },
  {
    name: 'two links, then a write through both',
    message: 'goes through',
    build: () => tarOf(folder('d'), symlink('l', 'd'), symlink('m', 'l'), file('m/x')),
  },
  {
    name: 'link to the root, then a write through it',
    message: 'goes through',
    build: () => tarOf(symlink('l', '.'), file('l/x')),
  },
  {
    name: 'link through a link that is higher up',
    message: 'goes through',
    build: () => tarOf(folder('a/b/c'), symlink('a/b/c/s', '../../../top'), symlink('t', 'a/b/c/s/../../x')),
  },
  {
    name: 'the same, in the other order',
    message: 'twice',
    build: () => tarOf(folder('a/b/c'), symlink('t', 'a/b/c/s/../../x'), symlink('a/b/c/s', '../../../top')),
  },
  {
    name: 'folder that becomes a link',
    message: 'twice',
    build: () => tarOf(folder('d'), folder('a'), symlink('d', 'a'), file('d/x')),
  },
  {
    name: 'unlisted folder that becomes a link',
    message: 'twice',
    build: () => tarOf(file('d/x'), symlink('d', 'a')),
  },
  { name: 'link that becomes a folder', message: 'twice', build: () => tarOf(symlink('d', 'a'), folder('d')) },
  { name: 'link that becomes a file', message: 'twice', build: () => tarOf(symlink('d', 'a'), file('d')) },
  { name: 'file that becomes a link', message: 'twice', build: () => tarOf(file('d'), symlink('d', 'a')) },
  { name: 'link with two targets', message: 'twice', build: () => tarOf(symlink('l', 'a'), symlink('l', 'b')) },
  {
    name: 'PAX target out under a harmless one',
    message: 'leaves',
    build: (outside) => tarOf(pax([['linkpath', outside]]), symlink('l', 'x')),
  },
  {
    name: 'target out under a harmless PAX target',
    message: 'leaves',
    build: (outside) => tarOf(pax([['linkpath', 'x']]), symlink('l', outside)),
  },
  {
    name: 'GNU long target out',
    message: 'leaves',
    build: (outside) => tarOf(gnuLong(outside, 'K'), symlink('l', 'x')),
  },
  {
    name: 'write through the second name of a link',
    message: 'goes through',
    build: () => tarOf(folder('d'), pax([['path', 'harmless']]), symlink('l', 'd'), file('l/x')),
  },
  {
    name: 'write through the cut name of a link',
    message: 'goes through',
    build: () => tarOf(folder('d'), pax([['path', 'link']]), symlink('l', 'd'), file('l/x')),
  },
  {
    name: 'second name that traverses a link',
    message: 'goes through',
    build: () => tarOf(folder('d'), symlink('l', 'd'), pax([['path', 'harmless']]), file('l/x')),
  },
  { name: 'link to nothing', message: 'to nothing', build: () => tarOf(symlink('l', '')) },
  { name: 'link in place of the root', message: 'whole archive', build: () => tarOf(symlink('./', 'a')) },
  {
    name: 'target of 1025 bytes',
    message: '1024',
    build: () => tarOf(gnuLong(long('a/', 1025), 'K'), symlink('l', 'x')),
  },
  { name: 'absolute hard link', message: 'absolute', build: (outside) => tarOf(hardLink('h', `${outside}/secret`)) },
  { name: 'hard link above', message: '".."', build: () => tarOf(hardLink('h', '../secret')) },
  {
    name: 'hard link to what is not there',
    message: 'not an earlier file',
    build: () => tarOf(hardLink('h', 'etc/passwd')),
  },
  {
    name: 'hard link to a later file',
    message: 'not an earlier file',
    build: () => tarOf(hardLink('h', 'x'), file('x')),
  },
  {
    name: 'hard link to a link',
    message: 'not an earlier file',
    build: () => tarOf(folder('a'), symlink('a/l', '../x'), hardLink('h', 'a/l')),
  },
  {
    name: 'hard link to a folder',
    message: 'not an earlier file',
    build: () => tarOf(folder('a'), hardLink('h', 'a')),
  },
  {
    name: 'hard link through a link',
    message: 'not an earlier file',
    build: () => tarOf(folder('d'), file('d/x'), symlink('l', 'd'), hardLink('h', 'l/x')),
  },
  {
    name: 'PAX target of a hard link out',
    message: 'absolute',
    build: (outside) => tarOf(file('x'), pax([['linkpath', `${outside}/secret`]]), hardLink('h', 'x')),
  },
  {
    name: 'hard link out under a harmless PAX target',
    message: 'to some programs',
    build: (outside) => tarOf(file('x'), pax([['linkpath', 'x']]), hardLink('h', `${outside}/secret`)),
  },
  {
    name: 'file that becomes a hard link',
    message: 'twice',
    build: () => tarOf(file('x'), file('y'), hardLink('y', 'x')),
  },
  { name: 'file below a file', message: 'goes through', build: () => tarOf(file('a'), file('a/b')) },
]
