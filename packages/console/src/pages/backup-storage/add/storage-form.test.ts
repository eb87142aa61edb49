import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, emptyForm, inputOf, problemsOf } from './storage-form.ts'

const folder = { ...emptyForm, name: 'a', folder: '/srv/my packages' }
const sftp = { ...emptyForm, type: 'sftp' as const, name: 'a', host: 'fd00::1', path: '/packages', username: 'wharf' }
const s3 = { ...emptyForm, type: 's3' as const, name: 'a', bucket: 'packages', accessKeyId: 'id', secretAccessKey: 's' }

test('each type has its address', () => {
  assert.equal(addressOf(folder), 'file:///srv/my%20packages')
  assert.equal(addressOf(sftp), 'sftp://[fd00::1]/packages')
  assert.equal(addressOf({ ...sftp, host: 'backup', port: '2222' }), 'sftp://backup:2222/packages')
  assert.equal(addressOf(s3), 's3://packages')
  assert.equal(
    addressOf({ ...s3, endpoint: 'https://s3.example.com/', prefix: '/a/b/' }),
    'https://s3.example.com/packages/a/b',
  )
})

test('only what belongs to the type is sent, and what was left empty is not', () => {
  const typed = { ...folder, username: 'somebody', secretAccessKey: 'left over' }
  assert.deepEqual(JSON.parse(JSON.stringify(inputOf(typed))), {
    type: 'folder',
    name: 'a',
    url: 'file:///srv/my%20packages',
  })
})

test('missing and invalid values are reported by field', () => {
  assert.deepEqual(problemsOf(folder), {})
  assert.deepEqual(problemsOf(sftp), {})
  assert.deepEqual(problemsOf(s3), {})
  assert.deepEqual(problemsOf({ ...folder, folder: 'srv' }), { folder: 'absolute' })
  assert.deepEqual(problemsOf({ ...sftp, host: '', port: '0', hostKeyFingerprint: 'MD5:1' }), {
    host: 'required',
    port: 'port',
    hostKeyFingerprint: 'fingerprint',
  })
  assert.deepEqual(problemsOf({ ...s3, endpoint: 's3.example.com' }), { endpoint: 'endpoint' })
})
