import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileKey } from './file-key.ts'
import { parseUnfinishedUpload } from './unfinished-upload.ts'

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

test('tags tell which file is missing, where it goes and where to ask how far it is', () => {
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

test('an upload of another program, of somebody else or of a server that fetches itself is none of ours', () => {
  assert.equal(read(['uploadSoftwarePackage::a key of my own', ...whole.slice(1)]), undefined)
  assert.equal(read([...whole.slice(0, 2), 'uploadUrl::[hidden]']), undefined)
  assert.equal(read(whole.slice(1)), undefined)
  assert.equal(read([]), undefined)
})
