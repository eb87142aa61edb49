import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileKey } from './file-key.ts'
import { isInQueue, parseUnfinishedUpload } from './unfinished-upload.ts'

const file = { name: 'hello 1.tar.gz', size: 10, lastModified: 20 }
const config = {
  name: 'hello',
  type: 'demo',
  installPath: '/opt/hello',
  hostUuid: 'h',
  url: 'upload://hello%201.tar.gz',
}
const whole = [
  `uploadSoftwarePackage::${fileKey(file)}`,
  `uploadConfig::${JSON.stringify(config)}`,
  'uploadUrl::http://wharf.example.com/wharf/v1/uploads/abc?signature=1',
]
const read = (tags: readonly string[]) => parseUnfinishedUpload({ uuid: 'u', createDate: undefined, tags })

test('reads the file, the destination and the upload path from the tags', () => {
  const { url: _, ...destination } = config
  assert.deepEqual(read(whole), {
    packageUuid: 'u',
    createDate: undefined,
    fileName: file.name,
    file: { size: 10, lastModified: 20 },
    key: fileKey(file),
    destination,
    uploadPath: '/v1/uploads/abc?signature=1',
  })
})

test('ignores uploads of other programs and users, and downloads by the server', () => {
  assert.equal(read(['uploadSoftwarePackage::a key of my own', ...whole.slice(1)]), undefined)
  assert.equal(read([...whole.slice(0, 2), 'uploadUrl::[hidden]']), undefined)
  assert.equal(read(whole.slice(1)), undefined)
  assert.equal(read([]), undefined)
})

test('a file name that cannot be decoded is kept', () => {
  const tags = [
    whole[0] ?? '',
    `uploadConfig::${JSON.stringify({ ...config, url: 'upload://100%.tar' })}`,
    whole[2] ?? '',
  ]
  assert.equal(read(tags)?.fileName, '100%.tar')
})

test('the upload path does not depend on the prefix of a proxy', () => {
  for (const prefix of ['http://a.example', 'https://b.example/tools/wharf', ''])
    assert.equal(
      read([...whole.slice(0, 2), `uploadUrl::${prefix}/v1/uploads/abc?signature=1`])?.uploadPath,
      '/v1/uploads/abc?signature=1',
    )
})

test('a value may contain the separator of tags', () => {
  const named = JSON.stringify({ ...config, name: 'a::b' })
  assert.equal(read([whole[0] ?? '', `uploadConfig::${named}`, whole[2] ?? ''])?.destination.name, 'a::b')
})

test('damaged tags are ignored', () => {
  assert.equal(read([whole[0] ?? '', 'uploadConfig::{', whole[2] ?? '']), undefined)
  assert.equal(read([...whole.slice(0, 2), 'uploadUrl::/v1/other']), undefined)
})

test('other tags and their order do not matter', () => {
  assert.deepEqual(read(['installConfig::{}', ...whole.toReversed(), 'x']), read(whole))
})

test('an upload of this tab is not unfinished, also before the server has responded', () => {
  const upload = { packageUuid: 'p1', key: 'k1' }
  const item = { packageUuid: undefined, key: 'k1', state: 'sending' } as const
  assert.ok(isInQueue(upload, [{ ...item, packageUuid: 'p1' }]))
  assert.ok(isInQueue(upload, [item]))
  assert.ok(!isInQueue(upload, [{ ...item, key: 'k2' }]))
  assert.ok(!isInQueue(upload, [{ ...item, packageUuid: 'p2' }]), 'the same file to another destination')
  assert.ok(!isInQueue(upload, [{ ...item, state: 'failed' }]))
  assert.ok(!isInQueue(upload, []))
})
