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
