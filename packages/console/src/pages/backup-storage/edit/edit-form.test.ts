import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, formOf, problemsOf, type Storage } from './edit-form.ts'

const folder: Storage = { name: 'local', description: 'old', type: 'folder', url: 'file:///srv/packages' }
const sftp: Storage = { ...folder, type: 'sftp', url: 'sftp://backup/packages' }
const s3: Storage = { ...folder, type: 's3', url: 's3://bucket' }

test('what stays is not sent', () => {
  for (const storage of [folder, sftp, s3]) {
    assert.deepEqual(changeOf(formOf(storage), storage), {})
    assert.deepEqual(problemsOf(formOf(storage), storage), {})
  }
})

const rows: [storage: Storage, change: object, sent: object][] = [
  [folder, { name: ' archive ', url: 'file:///srv/other' }, { name: 'archive', url: 'file:///srv/other' }],
  [folder, { description: ' ' }, { clear: ['description'] }],
  // fields of another type
  [folder, { username: 'x', region: 'x', key: 'own' }, {}],
  [sftp, { username: 'ops', key: 'own' }, { username: 'ops', clear: ['privateKey'] }],
  [sftp, { key: 'given', privateKey: '-----BEGIN x' }, { privateKey: '-----BEGIN x\n' }],
  [s3, { accessKeyId: 'AK', secretAccessKey: 's' }, { accessKeyId: 'AK', secretAccessKey: 's' }],
]
for (const [storage, change, sent] of rows)
  test(`${storage.type}: ${JSON.stringify(change)} sends ${JSON.stringify(sent)}`, () =>
    assert.deepEqual(changeOf({ ...formOf(storage), ...change }, storage), sent))

const rejected: [storage: Storage, change: object, problems: object][] = [
  [folder, { name: '' }, { name: 'required' }],
  [folder, { url: ' ' }, { url: 'required' }],
  [sftp, { hostKeyFingerprint: 'x' }, { hostKeyFingerprint: 'fingerprint' }],
  [sftp, { key: 'given' }, { privateKey: 'badKey' }],
  [s3, { accessKeyId: 'AK' }, { secretAccessKey: 'secretRequired' }],
]
for (const [storage, change, problems] of rejected)
  test(`${storage.type}: rejects ${JSON.stringify(change)}`, () =>
    assert.deepEqual(problemsOf({ ...formOf(storage), ...change }, storage), problems))
