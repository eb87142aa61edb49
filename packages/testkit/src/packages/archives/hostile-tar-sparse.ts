import type { HostileArchive } from './hostile-archive.ts'
import { file, folder, newSparse, oldSparse, pax, tarOf } from './tar-builder.ts'

export const hostileSparseFilesInTars: readonly HostileArchive[] = [
  {
    name: 'sparse sections that overlap',
    message: 'sparse map',
    build: () =>
      tarOf(
        oldSparse(
          's',
          [
            [0, 512],
            [100, 512],
          ],
          4096,
        ),
      ),
  },
  {
    name: 'sparse sections out of order',
    message: 'sparse map',
    build: () =>
      tarOf(
        oldSparse(
          's',
          [
            [1024, 512],
            [0, 512],
          ],
          4096,
        ),
      ),
  },
  {
    name: 'sparse section beyond the file',
    message: 'sparse map',
    build: () =>
      tarOf(
        oldSparse(
          's',
          [
            [0, 512],
            [4096, 512],
          ],
          4096,
        ),
      ),
  },
  {
    name: 'sparse sections of another size',
    message: 'sparse map',
    build: () => tarOf({ ...oldSparse('s', [[0, 512]], 4096), data: '' }),
  },
  {
    name: 'sparse file of 64 PiB',
    message: 'declares a size',
    build: () => {
      const item = oldSparse('s', [[0, 512]], 0)
      return tarOf({
        ...item,
        patch: (block) => {
          item.patch?.(block)
          Buffer.from([0x80, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]).copy(block, 483)
        },
      })
    },
  },
  {
    name: 'sparse table that continues, behind an unused section',
    message: 'sparse map',
    build: () => {
      const item = oldSparse('s', [[0, 512]], 4096)
      return tarOf({
        ...item,
        patch: (block) => {
          item.patch?.(block)
          block[482] = 1
        },
      })
    },
  },
  {
    name: 'sparse table in ustar',
    message: 'programs read differently',
    build: () => tarOf({ ...oldSparse('s', [[0, 512]], 4096), dialect: 'ustar' }),
  },
  {
    name: 'sparse map that declares too much',
    message: 'sparse map',
    build: () => tarOf(newSparse('s', '1\n0\n500\n', 'hello', 5)),
  },
  {
    name: 'sparse map with too many sections',
    message: 'sparse map',
    build: () => tarOf(newSparse('s', '999999999\n0\n5\n', 'hello', 5)),
  },
  {
    name: 'sparse map that never ends',
    message: 'sparse map',
    build: () => tarOf(newSparse('s', '3\n0\n5\n', 'hello', 5)),
  },
  {
    name: 'sparse map that is not text',
    message: 'sparse map',
    build: () => tarOf(newSparse('s', 'x'.repeat(512), 'hello', 5)),
  },
  {
    name: 'sparse map with negative numbers',
    message: 'sparse map',
    build: () => tarOf(newSparse('s', '1\n-5\n5\n', 'hello', 5)),
  },
  {
    name: 'sparse map of an odd length',
    message: 'sparse map',
    build: () =>
      tarOf(
        pax([
          ['GNU.sparse.size', '9'],
          ['GNU.sparse.numblocks', '1'],
          ['GNU.sparse.map', '0,5,9'],
        ]),
        file('x', 'hello'),
      ),
  },
  {
    name: 'sparse pairs out of step',
    message: 'out of step',
    build: () =>
      tarOf(
        pax([
          ['GNU.sparse.numbytes', '5'],
          ['GNU.sparse.offset', '0'],
        ]),
        file('x', 'hello'),
      ),
  },
  {
    name: 'sparse form of the future',
    message: 'programs read differently',
    build: () =>
      tarOf(
        pax([
          ['GNU.sparse.major', '2'],
          ['GNU.sparse.minor', '0'],
          ['GNU.sparse.realsize', '5'],
        ]),
        file('x', 'hello'),
      ),
  },
  {
    name: 'sparse folder',
    message: 'cannot be sparse',
    build: () => tarOf(pax([['GNU.sparse.name', 'x']]), folder('x')),
  },
]
