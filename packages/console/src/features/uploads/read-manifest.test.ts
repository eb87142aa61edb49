import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readManifest } from './read-manifest.ts'

const manifest = JSON.stringify({ name: 'hello', version: '1.0', type: 'demo', install: { run: ['./install.sh'] } })

/** One entry as tar writes it: a header of 512 bytes and the content in whole blocks. */
function entry(name: string, content: string, flag = '0'): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${content.length.toString(8).padStart(11, '0')} `, 124)
  header.write(flag, 156)
  header.write('ustar', 257)
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc(-content.length & 511)])
}

const tar = (...entries: Buffer[]): Buffer<ArrayBuffer> => Buffer.concat([...entries, Buffer.alloc(1024)])
const read = (bytes: Buffer<ArrayBuffer>) => readManifest(new Blob([bytes]))
const known = { name: 'hello', version: '1.0', type: 'demo' }

test('finds wharf.json at the root, or in the one folder that everything is in', async () => {
  const blob = entry('blob', 'x'.repeat(70_000))
  assert.deepEqual(await read(tar(blob, entry('wharf.json', manifest))), known)
  assert.deepEqual(await read(tar(entry('./hello/', '', '5'), blob, entry('./hello/wharf.json', manifest))), known)
})

test('reads a gzip archive', async () => {
  const bytes = gzipSync(tar(entry('wharf.json', manifest))) as Buffer<ArrayBuffer>
  assert.deepEqual(await read(bytes), known)
})

test('returns undefined for a file without a manifest', async () => {
  const silent = [
    Buffer.alloc(0),
    Buffer.from('no archive'),
    tar(entry('readme', 'x')),
    tar(entry('a/b/wharf.json', manifest)),
    tar(entry('wharf.json', '{"name": 1}')),
    tar(entry('wharf.json', 'no JSON')),
    tar(entry('wharf.json', manifest)).subarray(0, 600),
    Buffer.from([0x1f, 0x8b, 0, 0]),
  ]
  for (const bytes of silent) assert.equal(await read(Buffer.from(bytes)), undefined)
})
