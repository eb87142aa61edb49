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

test('only filled fields of the type are sent', () => {
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

test('an SFTP server is sent with its credentials', () => {
  const typed = { ...sftp, host: ' backup ', privateKey: '-----BEGIN\n', hostKeyFingerprint: ' SHA256:x ' }
  assert.deepEqual(inputOf(typed), {
    type: 'sftp',
    name: 'a',
    description: undefined,
    url: 'sftp://backup/packages',
    username: 'wharf',
    privateKey: '-----BEGIN\n',
    hostKeyFingerprint: 'SHA256:x',
  })
})

test('a bucket is sent with its credentials, the secret as typed', () => {
  const typed = { ...s3, accessKeyId: ' id ', secretAccessKey: ' s ', region: ' eu-1 ', description: ' d ' }
  assert.deepEqual(inputOf(typed), {
    type: 's3',
    name: 'a',
    description: 'd',
    url: 's3://packages',
    accessKeyId: 'id',
    secretAccessKey: ' s ',
    region: 'eu-1',
  })
})

const required: [form: typeof emptyForm, fields: readonly string[]][] = [
  [emptyForm, ['name', 'folder']],
  [{ ...emptyForm, type: 'sftp' }, ['name', 'host', 'username', 'path']],
  [{ ...emptyForm, type: 's3' }, ['name', 'bucket', 'accessKeyId', 'secretAccessKey']],
]
for (const [form, fields] of required)
  test(`an empty form of type ${form.type} requires ${fields.join(', ')}`, () => {
    const problems = problemsOf(form)
    assert.deepEqual(Object.keys(problems).sort(), fields.toSorted())
    assert.deepEqual(new Set(Object.values(problems)), new Set(['required']))
  })

for (const port of ['0', '65536', '-1', '22x', '1.5'])
  test(`port ${port} is rejected`, () => assert.deepEqual(problemsOf({ ...sftp, port }), { port: 'port' }))

for (const endpoint of ['ftp://s3.example.com', 'https://', 's3.example.com'])
  test(`endpoint ${endpoint} is rejected`, () =>
    assert.deepEqual(problemsOf({ ...s3, endpoint }), { endpoint: 'endpoint' }))

test('problems of another type do not count', () => {
  assert.deepEqual(problemsOf({ ...folder, port: 'x', endpoint: 'x', hostKeyFingerprint: 'x' }), {})
})
