import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobTitle } from './job-title.ts'
import { en, zh } from './titles.ts'

const records = {
  packages: [{ uuid: 'p1', name: 'nginx-1.2', hostUuid: 'h1' }],
  hosts: [{ uuid: 'h1', name: 'host-3' }],
  clusters: [{ uuid: 'c1', name: 'storage' }],
  chat: [{ uuid: 'e1', name: 'Operations' }],
  'backup-storage': [{ uuid: 's1', name: 'bucket' }],
  migration: [{ uuid: 'v1', name: 'gateway', hostUuid: 'h1' }],
}

const rows: [operation: string, subjectUuid: string, title: string, href: string][] = [
  ['InstallSoftwarePackage', 'p1', 'Install nginx-1.2 on host-3', '#/packages/p1'],
  ['AddHost', 'h1', 'Add host host-3', '#/hosts/h1'],
  ['AddBackupStorage', 's1', 'Add backup storage bucket', '#/backup-storage/s1'],
  ['UpdateClusterConfig', 'c1', 'Configure cluster storage', '#/clusters/c1'],
  ['TestChatAppEndpoint', 'e1', 'Send a test message to Operations', '#/chat/e1'],
  ['DeleteMigrateVmInstance', 'v1', 'Delete VM gateway from host-3', '#/migration'],
]
for (const [operation, subjectUuid, title, href] of rows)
  test(`${operation} is "${title}"`, () => {
    const found = jobTitle({ operation, subjectUuid }, records, en)
    assert.equal(found.title, title)
    assert.equal(found.subject?.href, href)
  })

test('a deleted record has no link, and its name is omitted', () => {
  assert.deepEqual(jobTitle({ operation: 'InstallSoftwarePackage', subjectUuid: 'gone' }, records, en), {
    title: 'Install a package',
    subject: undefined,
  })
})

test('a job without a record has a title', () => {
  const job = { operation: 'UploadSoftwarePackage', subjectUuid: null }
  assert.equal(jobTitle(job, records, en).title, 'Upload a package')
})

test('an unknown operation is shown by its name', () => {
  assert.deepEqual(jobTitle({ operation: 'StartDemo', subjectUuid: 'p1' }, records, en), {
    title: 'StartDemo',
    subject: undefined,
  })
  assert.equal(jobTitle({ operation: 'constructor' }, records, en).title, 'constructor')
  assert.equal(jobTitle({}, records, en).title, '')
})

test('the title is in the language of the user', () => {
  const job = { operation: 'InstallSoftwarePackage', subjectUuid: 'p1' }
  assert.equal(jobTitle(job, records, zh).title, '在 host-3 上安装 nginx-1.2')
})
