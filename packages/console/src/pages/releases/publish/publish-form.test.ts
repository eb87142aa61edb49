import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationOf, newPublication, problemOf, publicationOf } from './publish-form.ts'

const upload = { file: new File(['x'], 'hello 1.1.0.tar.gz'), name: 'hello 1.1.0', type: 'hello' }

test('a package or a file with a type is needed', () => {
  assert.equal(problemOf(newPublication), 'noPackage')
  assert.equal(problemOf({ ...newPublication, packageUuid: 'p1' }), undefined)
  // the other source does not matter
  assert.equal(problemOf({ ...newPublication, source: 'file', packageUuid: 'p1' }), 'noFile')
  assert.equal(problemOf({ ...newPublication, source: 'file', upload: { ...upload, type: '' } }), 'badType')
  assert.equal(problemOf({ ...newPublication, source: 'file', upload }), undefined)
})

test('a file is stored in the folder of releases, on the chosen storage or on any', () => {
  const stored = { name: 'hello 1.1.0', type: 'hello', installPath: 'releases/hello-1.1.0.tar.gz' }
  assert.deepEqual(destinationOf(upload, 's1'), { ...stored, backupStorageUuid: 's1' })
  assert.deepEqual(destinationOf(upload, ''), { ...stored, toBackupStorage: true })
})

test('an empty description is not sent', () => {
  assert.deepEqual(publicationOf('p1', { ...newPublication, description: ' ' }), { softwarePackageUuid: 'p1' })
  assert.deepEqual(publicationOf('p1', { ...newPublication, description: ' fixes ' }), {
    softwarePackageUuid: 'p1',
    description: 'fixes',
  })
})
