import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileNameIn, isAddress, isDigest } from './address-draft.ts'

for (const url of [
  'https://packages.example.com/hello.tar.gz',
  'http://10.0.0.1:8080/a',
  'HTTPS://EXAMPLE.COM/a',
  'file:///srv/packages/a.tar',
])
  test(`${url} is accepted`, () => assert.equal(isAddress(url), true))

for (const url of ['', 'ftp://example.com/a', 'example.com/a', '/srv/a.tar', 'https://', 'javascript://x', 'http:/a'])
  test(`"${url}" is rejected`, () => assert.equal(isAddress(url), false))

for (const digest of ['', ' ', 'd41d8cd98f00b204e9800998ecf8427e', 'D41D8CD98F00B204E9800998ECF8427E', 'a'.repeat(64)])
  test(`digest "${digest}" is accepted`, () => assert.equal(isDigest(digest), true))

for (const digest of ['d41d8cd98f00b204', 'g'.repeat(32), 'a'.repeat(63), `md5:${'a'.repeat(32)}`])
  test(`digest "${digest}" is rejected`, () => assert.equal(isDigest(digest), false))

const names: [url: string, name: string][] = [
  ['https://example.com/a/hello-1.0.0.tar.gz', 'hello-1.0.0.tar.gz'],
  ['https://example.com/hello.tar?token=x/y', 'hello.tar'],
  ['https://example.com/hello.tar#top', 'hello.tar'],
  ['https://example.com/', 'package'],
  ['https://example.com', 'package'],
  ['file:///srv/a.zip', 'a.zip'],
  ['hello.tar', 'hello.tar'],
  ['', 'package'],
]
for (const [url, name] of names) test(`the file of "${url}" is ${name}`, () => assert.equal(fileNameIn(url), name))
