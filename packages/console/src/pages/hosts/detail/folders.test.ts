import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanFolder, entriesIn, firstWorthSeeing, foldersTo } from './folders.ts'

const file = (installPath: string, size: number) => ({
  uuid: installPath,
  name: `name of ${installPath}`,
  installPath,
  size,
})
const files = [file('/opt/a/one.tar', 10), file('/opt/a/b/two.tar', 20), file('/opt/c.tar', 40)]

test('what lies in a folder is counted with all that is below it, the largest first', () => {
  assert.deepEqual(entriesIn(files, '/'), [{ path: '/opt', name: 'opt/', size: 70, files: 3 }])
  assert.deepEqual(
    entriesIn(files, '/opt').map(({ path, size, packageUuid }) => [path, size, packageUuid]),
    [
      ['/opt/c.tar', 40, '/opt/c.tar'],
      ['/opt/a', 30, undefined],
    ],
  )
})

test('a folder whose name begins like another one has its own files only', () =>
  assert.deepEqual(entriesIn(files, '/op'), []))

test('the way to a folder begins at the root', () => {
  assert.deepEqual(foldersTo('/opt/a/'), ['/', '/opt', '/opt/a'])
  assert.deepEqual(foldersTo('/'), ['/'])
  assert.equal(cleanFolder('opt//a/'), '/opt/a')
})

test('folders with nothing but one folder are passed over', () => {
  assert.equal(firstWorthSeeing(files, '/'), '/opt')
  assert.equal(firstWorthSeeing([file('/srv/x/only.tar', 1)], '/'), '/srv/x')
  assert.equal(firstWorthSeeing([], '/'), '/')
})
