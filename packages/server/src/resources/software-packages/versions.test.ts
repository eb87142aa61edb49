import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderBeside, hasBytesOf, isRestorable, newVersionName, newVersionPath, obsoleteVersions } from './versions.ts'

const uuid = '0123456789abcdef0123456789abcdef'

test('a package has the bytes of a release by its SHA-256, or by MD5 and size where it has none', () => {
  const release = { sha256: 'a', md5sum: 'm', size: 3 }
  const rows: [sha256: string | null, md5sum: string | null, size: number, want: boolean][] = [
    ['a', 'other', 9, true],
    ['b', 'm', 3, false],
    [null, 'm', 3, true],
    [null, 'm', 4, false],
    [null, null, 0, false],
  ]
  for (const [sha256, md5sum, size, want] of rows)
    assert.equal(hasBytesOf({ sha256, md5sum, size }, release), want, `${sha256} ${md5sum} ${size}`)
})

test('a new version is beside the installed one, under a name that any host accepts', () => {
  const onHost = { backupStorageUuid: null, installPath: '/opt/packages/web.tar.gz', unzipInstallPath: '/opt/x' }
  const stored = { backupStorageUuid: uuid, installPath: 'web.tar', unzipInstallPath: `/srv/${uuid}/unpacked` }
  assert.deepEqual([folderBeside(onHost), folderBeside(stored)], ['/opt/packages', '/srv'])
  const path = (name: string, version: string) => newVersionPath('/opt', { name, version, uuid, format: 'tar.gz' })
  assert.equal(path('web', '1.1.0'), '/opt/web-1.1.0-01234567.tar.gz')
  assert.equal(path('../网 站', '1/2'), '/opt/1-2-01234567.tar.gz')
  assert.ok(path('x'.repeat(255), '1').length < 130)
})

test('a package keeps its name; the version in it is replaced', () => {
  assert.equal(newVersionName({ name: 'web-1.0.0', version: '1.0.0' }, '1.1.0'), 'web-1.1.0')
  assert.equal(newVersionName({ name: 'intranet', version: '1.0.0' }, '1.1.0'), 'intranet')
  assert.equal(newVersionName({ name: 'intranet', version: null }, '1.1.0'), 'intranet')
})

test('versions that others replaced are removed, except the newest that are kept and those that a user put there', () => {
  const row = (name: string, supersededDate: number | null, status = 'Uploaded') => ({
    uuid: name,
    supersededDate,
    status: status as 'Uploaded',
  })
  const rows = [
    row('current', null, 'Installed'),
    row('previous', 40),
    row('uploaded', null),
    row('old', 20),
    row('older', 10),
    row('half removed', 5, 'UploadFailed'),
    row('installed again', 30, 'Installed'),
  ]
  const removed = (keepVersions: number): string[] =>
    obsoleteVersions(rows, { inUse: ['current', 'previous'], keepVersions }).map((one) => one.uuid)
  assert.deepEqual(removed(1), ['old', 'older', 'half removed'])
  assert.deepEqual(removed(2), ['old', 'older', 'half removed'])
  assert.deepEqual(removed(3), ['older', 'half removed'])
  assert.deepEqual(removed(9), [])
})

test('a previous version can be restored while its files are on the same host', () => {
  const current = { hostUuid: 'h' }
  const previous = { hostUuid: 'h', status: 'Uploaded', unzipInstallPath: '/x' } as const
  assert.ok(isRestorable(previous, current))
  assert.ok(!isRestorable(undefined, current))
  assert.ok(!isRestorable({ ...previous, hostUuid: null }, current))
  assert.ok(!isRestorable({ ...previous, status: 'Installed' }, current))
  assert.ok(!isRestorable({ ...previous, unzipInstallPath: null }, current))
})
