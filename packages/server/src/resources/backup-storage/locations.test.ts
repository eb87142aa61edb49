import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderLocation, s3Location, sftpLocation } from './locations.ts'

const amazon = { endpoint: undefined, region: 'us-east-1', bucket: 'bucket', prefix: '', pathStyle: false }
const own = { ...amazon, endpoint: 'https://s3.example', pathStyle: true }

for (const { url, read, is } of [
  { url: 'file:///srv/packages', read: folderLocation, is: { root: '/srv/packages' } },
  { url: 'file:///srv/packages/', read: folderLocation, is: { root: '/srv/packages' } },
  { url: 'file://localhost/srv', read: folderLocation, is: { root: '/srv' } },
  { url: 'file:///srv/a/../b%20c', read: folderLocation, is: { root: '/srv/b c' } },
  { url: 'sftp://host/path', read: sftpLocation, is: { address: 'host', port: 22, root: '/path' } },
  { url: 'sftp://host:2222/a/b/', read: sftpLocation, is: { address: 'host', port: 2222, root: '/a/b' } },
  { url: 'sftp://10.0.0.5', read: sftpLocation, is: { address: '10.0.0.5', port: 22, root: '/' } },
  { url: 'sftp://[fd00::5]:22/p', read: sftpLocation, is: { address: 'fd00::5', port: 22, root: '/p' } },
  { url: 's3://bucket', read: s3Location, is: amazon },
  { url: 's3://bucket/a/b/', read: s3Location, is: { ...amazon, prefix: 'a/b' } },
  { url: 's3://bucket?region=eu-west-1', read: s3Location, is: { ...amazon, region: 'eu-west-1' } },
  {
    url: 's3://bucket/a?endpoint=http://127.0.0.1:7480&region=x',
    read: s3Location,
    is: { ...own, endpoint: 'http://127.0.0.1:7480', region: 'x', prefix: 'a' },
  },
  {
    url: 's3://bucket?endpoint=https%3A%2F%2Fs3.example%2Fgateway%2F',
    read: s3Location,
    is: { ...own, endpoint: 'https://s3.example/gateway' },
  },
  { url: 'https://s3.example/bucket', read: s3Location, is: own },
  { url: 'https://s3.example/bucket/a/b', read: s3Location, is: { ...own, prefix: 'a/b' } },
])
  test(`${url} is read`, () => assert.deepEqual(read(url), is))

test('a given region takes precedence over that in the url', () => {
  assert.equal(s3Location('s3://bucket?region=one', 'two').region, 'two')
})

for (const { url, read, rule } of [
  { url: '/srv/packages', read: folderLocation, rule: /file:\/\/\/path/ },
  { url: 'http://host/path', read: folderLocation, rule: /file:\/\/\/path/ },
  { url: 'file://host/path', read: folderLocation, rule: /three slashes/ },
  { url: 'file:///', read: folderLocation, rule: /not the root/ },
  { url: 'file:///a/..', read: folderLocation, rule: /not the root/ },
  { url: 'file:///a%2Fb', read: folderLocation, rule: /cannot be decoded/ },
  { url: 'file:///a%00b', read: folderLocation, rule: /control characters|cannot be decoded/ },
  { url: 'file:///a?b', read: folderLocation, rule: /\? or a #/ },
  { url: 'sftp:///path', read: sftpLocation, rule: /sftp:\/\/host/ },
  { url: 'sftp://user@host/path', read: sftpLocation, rule: /may not contain a user/ },
  { url: 'sftp://user:secret@host/path', read: sftpLocation, rule: /may not contain a user/ },
  { url: 'sftp://host/a%0Ab', read: sftpLocation, rule: /control characters/ },
  { url: 'sftp://host/%zz', read: sftpLocation, rule: /cannot be decoded/ },
  { url: 'sftp://host/a#b', read: sftpLocation, rule: /\? or a #/ },
  { url: 'ssh://host/path', read: sftpLocation, rule: /sftp:\/\/host/ },
  { url: 'https://s3.example/', read: s3Location, rule: /names no bucket/ },
  { url: 'https://key:secret@s3.example/bucket', read: s3Location, rule: /may not contain a user/ },
  { url: 'https://s3.example/bucket?region=x', read: s3Location, rule: /\? or a #/ },
  { url: 's3://b', read: s3Location, rule: /3 to 63/ },
  { url: 's3://bucket/?accessKeyId=x', read: s3Location, rule: /endpoint and region/ },
  { url: 's3://bucket?endpoint=ftp://s3.example', read: s3Location, rule: /https:\/\/ or http/ },
  { url: 's3://bucket?endpoint=https://key:secret@s3.example', read: s3Location, rule: /may not contain a user/ },
  { url: 's3://bucket/a//b', read: s3Location, rule: /\/\// },
  { url: 'nonsense', read: s3Location, rule: /s3:\/\/bucket/ },
])
  test(`${url} is refused`, () => {
    assert.throws(
      () => read(url),
      (error: Error) => {
        assert.equal((error as Error & { code: string }).code, 'SYS.1007')
        assert.match(error.message, rule)
        assert.doesNotMatch(error.message, /secret/)
        return true
      },
    )
  })
