import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ancestorFolders, cleanFolder, entriesIn, firstBranchingFolder } from './folders.ts'

const file = (installPath: string, size: number) => ({
  uuid: installPath,
  name: `name of ${installPath}`,
  installPath,
  size,
})
const files = [file('/opt/a/one.tar', 10), file('/opt/a/b/two.tar', 20), file('/opt/c.tar', 40)]

test('the entries of a folder include everything below them, largest first', () => {
  assert.deepEqual(entriesIn(files, '/'), [{ path: '/opt', name: 'opt/', size: 70, files: 3 }])
  assert.deepEqual(
    entriesIn(files, '/opt').map(({ path, size, packageUuid }) => [path, size, packageUuid]),
    [
      ['/opt/c.tar', 40, '/opt/c.tar'],
      ['/opt/a', 30, undefined],
    ],
  )
})

test('a folder with the prefix of another name has only its own files', () =>
  assert.deepEqual(entriesIn(files, '/op'), []))

test('the ancestors of a folder start at the root', () => {
  assert.deepEqual(ancestorFolders('/opt/a/'), ['/', '/opt', '/opt/a'])
  assert.deepEqual(ancestorFolders('/'), ['/'])
  assert.equal(cleanFolder('opt//a/'), '/opt/a')
})

test('folders with nothing but one folder are passed over', () => {
  assert.equal(firstBranchingFolder(files, '/'), '/opt')
  assert.equal(firstBranchingFolder([file('/srv/x/only.tar', 1)], '/'), '/srv/x')
  assert.equal(firstBranchingFolder([], '/'), '/')
})

const paths: [path: string, clean: string][] = [
  ['', '/'],
  ['/', '/'],
  ['//', '/'],
  ['opt', '/opt'],
  ['/opt/', '/opt'],
  ['/opt//packages///', '/opt/packages'],
]
for (const [path, clean] of paths)
  test(`"${path}" is the folder ${clean}`, () => assert.equal(cleanFolder(path), clean))

test('the ancestors of the root are the root alone', () => assert.deepEqual(ancestorFolders('/'), ['/']))

test('a folder without files has no entries', () => {
  assert.deepEqual(entriesIn(files, '/srv'), [])
  assert.deepEqual(entriesIn([], '/'), [])
})

test('entries of the same size are sorted by path', () => {
  const same = [file('/b.tar', 5), file('/a.tar', 5), file('/c.tar', 5)]
  assert.deepEqual(
    entriesIn(same, '/').map(({ path }) => path),
    ['/a.tar', '/b.tar', '/c.tar'],
  )
})

test('a file and a folder of the same name are one entry', () => {
  const mixed = [file('/opt/a', 1), file('/opt/a/b.tar', 2)]
  assert.deepEqual(entriesIn(mixed, '/opt'), [{ path: '/opt/a', name: 'a/', size: 3, files: 2 }])
})

test('the first branching folder is the deepest one with all files', () => {
  assert.equal(firstBranchingFolder([file('/a/b/c/1', 1), file('/a/b/c/2', 1)], '/'), '/a/b/c')
  assert.equal(firstBranchingFolder([file('/a/b/c/1', 1)], '/'), '/a/b/c')
  assert.equal(firstBranchingFolder([], '/'), '/')
})

test('the sizes of all entries are the size of the folder', () => {
  const total = (folder: string): number => entriesIn(files, folder).reduce((sum, { size }) => sum + size, 0)
  assert.equal(total('/'), 70)
  assert.equal(total('/opt'), 70)
  assert.equal(total('/opt/a'), 30)
})
