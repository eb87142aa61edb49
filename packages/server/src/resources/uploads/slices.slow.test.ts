import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { assertFailure, tusCall, tusCut, tusHead, tusOffset, tusPatch, UploadServer } from '@wharf/testkit'
import { checksumAlgorithms } from './checksum.ts'

const MiB = 1024 * 1024
const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes)
const md5 = (bytes: Buffer): string => digest('md5', bytes).digest('hex')
const checksum = (algorithm: string, bytes: Buffer) => ({
  'upload-checksum': `${algorithm} ${digest(algorithm, bytes).digest('base64')}`,
})

const cleanups: (() => Promise<void>)[] = []
let server: UploadServer
before(async () => {
  server = await UploadServer.start({ after: (work) => void cleanups.push(work) })
})
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

async function assertFinished(id: string, bytes: Buffer): Promise<void> {
  const row = await server.row(id)
  assert.deepEqual([row?.state, row?.size, row?.md5], ['Finished', bytes.length, md5(bytes)])
  const { finished } = await server.notifications(id)
  assert.deepEqual(finished, { packageUuid: row?.packageUuid, md5: md5(bytes), size: bytes.length })
  assert.ok(readFileSync(server.uploads.spoolFile(id)).equals(bytes))
}

test('a loop of PATCH uploads a file, and its MD5 is published once', async () => {
  const bytes = randomBytes(5 * MiB + 123)
  const { url, id } = await server.openUpload({ size: bytes.length, md5: md5(bytes).toUpperCase() })
  const sliceBytes = 2 * MiB
  for (let offset = 0; offset < bytes.length; offset += sliceBytes) {
    assert.equal(await tusOffset(url), offset)
    const answer = await tusPatch(url, offset, bytes.subarray(offset, offset + sliceBytes))
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(answer.headers.get('upload-offset'), String(Math.min(bytes.length, offset + sliceBytes)))
    assert.equal(answer.headers.get('tus-resumable'), '1.0.0')
  }
  await assertFinished(id, bytes)
})

test('bytes are in the data folder, readable by the owner only', async () => {
  const { url, id } = await server.openUpload({ size: 10 })
  await tusPatch(url, 0, Buffer.alloc(3))
  const file = server.uploads.spoolFile(id)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(file)).mode & 0o777, 0o700)
  assert.ok(file.startsWith(server.environment.WHARF_DATA ?? '?'))
})

test('HEAD returns offset, length and expiry, and must not be cached', async () => {
  const { url, id } = await server.openUpload({ size: 10 })
  await tusPatch(url, 0, Buffer.alloc(3))
  const { status, headers } = await tusHead(url)
  const headerNames = ['upload-offset', 'upload-length', 'upload-defer-length', 'cache-control', 'tus-resumable']
  assert.deepEqual(
    [status, ...headerNames.map((name) => headers.get(name))],
    [200, '3', '10', null, 'no-store', '1.0.0'],
  )
  const expiry = (await server.row(id))?.expiryDate ?? 0
  assert.equal(headers.get('upload-expires'), new Date(expiry).toUTCString())
})

test('a deferred length may be set with any slice, also an empty one', async () => {
  const bytes = randomBytes(1000)
  const { url, id } = await server.openUpload()
  assert.equal((await tusHead(url)).headers.get('upload-defer-length'), '1')
  await tusPatch(url, 0, bytes.subarray(0, 600))
  await tusPatch(url, 600, bytes.subarray(600))
  const before = await tusHead(url)
  assert.deepEqual([before.headers.get('upload-offset'), before.headers.get('upload-length')], ['1000', null])
  const last = await tusPatch(url, 1000, Buffer.alloc(0), { 'upload-length': '1000' })
  assert.equal(last.status, 204, last.text)
  await assertFinished(id, bytes)
})

test('a length applies to all later slices', async () => {
  const bytes = randomBytes(1000)
  const { url, id } = await server.openUpload()
  await tusPatch(url, 0, bytes.subarray(0, 600), { 'upload-length': '1000' })
  const { headers } = await tusHead(url)
  assert.deepEqual([headers.get('upload-length'), headers.get('upload-defer-length')], ['1000', null])
  assert.equal((await tusPatch(url, 600, bytes.subarray(600), { 'upload-length': '1000' })).status, 204)
  await assertFinished(id, bytes)
})

test('an empty file is complete when it is announced', async () => {
  const { url, id } = await server.openUpload({ size: 0 })
  await server.waitForState(id, 'Finished')
  assert.equal(await tusOffset(url), 0)
  await assertFinished(id, Buffer.alloc(0))
})

for (const algorithm of checksumAlgorithms)
  test(`a slice with the right ${algorithm} counts, one with a wrong one does not`, async () => {
    const bytes = randomBytes(3 * MiB)
    const { url, id } = await server.openUpload({ size: bytes.length })
    const first = bytes.subarray(0, MiB + 7)
    assert.equal((await tusPatch(url, 0, first, checksum(algorithm, first))).status, 204)
    const spoiled = Buffer.from(bytes.subarray(first.length))
    spoiled[5] = (spoiled[5] ?? 0) ^ 1
    const refused = await tusPatch(url, first.length, spoiled, checksum(algorithm, bytes.subarray(first.length)))
    assertFailure(refused, { status: 460, code: 'SYS.1007', details: algorithm })
    assert.equal(await tusOffset(url), first.length)
    assert.equal((await tusPatch(url, first.length, bytes.subarray(first.length))).status, 204)
    await assertFinished(id, bytes)
  })

test('the bytes of a broken slice count, unless it has a checksum', async () => {
  const bytes = randomBytes(3 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  await tusCut(url, 0, MiB, bytes.subarray(0, 700_000))
  // the server may find the end of the connection before it has read the last buffer
  const kept = await tusOffset(url)
  assert.ok(kept > 700_000 - 65_536 && kept <= 700_000, `${kept} bytes`)
  const second = bytes.subarray(kept, 2 * MiB)
  await tusCut(url, kept, second.length, second.subarray(0, 1000), checksum('sha256', second))
  assert.equal(await tusOffset(url), kept)
  assert.equal((await tusPatch(url, kept, second, checksum('sha256', second))).status, 204)
  assert.equal((await tusPatch(url, 2 * MiB, bytes.subarray(2 * MiB))).status, 204)
  await assertFinished(id, bytes)
})

test('a file has the SHA-256 that was announced, or ends the upload', async () => {
  const bytes = randomBytes(2 * MiB)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const right = await server.openUpload({ size: bytes.length, sha256: sha256.toUpperCase() })
  for (const offset of [0, MiB])
    assert.equal((await tusPatch(right.url, offset, bytes.subarray(offset, offset + MiB))).status, 204)
  await assertFinished(right.id, bytes)
  const wrong = await server.openUpload({ size: bytes.length, sha256: 'f'.repeat(64) })
  assertFailure(await tusPatch(wrong.url, 0, bytes), {
    status: 400,
    code: 'SoftwarePackage.1132',
    details: `the SHA-256 of the package is ${sha256} instead of the announced ${'f'.repeat(64)}`,
  })
  assert.equal(existsSync(server.uploads.spoolFile(wrong.id)), false)
})

test('a file with another MD5 than announced ends the upload', async () => {
  const bytes = randomBytes(1000)
  const { url, id, packageUuid } = await server.openUpload({ size: bytes.length, md5: '0'.repeat(32) })
  const answer = await tusPatch(url, 0, bytes)
  assertFailure(answer, {
    status: 400,
    code: 'SoftwarePackage.1132',
    details: `the MD5 of the package is ${md5(bytes)} instead of the announced ${'0'.repeat(32)}`,
  })
  assert.deepEqual(await server.notifications(id), { ended: { packageUuid, code: 'SoftwarePackage.1132' } })
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
  for (const method of ['HEAD', 'DELETE']) assert.equal((await tusCall(method, url)).status, 410)
})

test('a client that missed the last answer reads that the upload is complete', async () => {
  const bytes = randomBytes(1000)
  const { url, id } = await server.openUpload({ size: bytes.length })
  await tusPatch(url, 0, bytes)
  await server.uploads.removeSpool(id)
  const { status, headers } = await tusHead(url)
  assert.deepEqual([status, headers.get('upload-offset'), headers.get('upload-length')], [200, '1000', '1000'])
  assert.equal(headers.get('upload-expires'), null)
  assert.equal((await tusPatch(url, 1000, Buffer.alloc(0))).status, 204)
  assertFailure(await tusPatch(url, 0, bytes), {
    status: 409,
    code: 'SYS.1006',
    details: 'offset of the upload is 1000',
  })
  assertFailure(await tusPatch(url, 1000, bytes), { status: 413, code: 'SYS.1007' })
  assertFailure(await tusCall('DELETE', url), { status: 410, code: 'SoftwarePackage.1133', details: 'complete' })
  assert.deepEqual(Object.keys(await server.notifications(id)), ['finished'])
})

test('DELETE ends an upload, which stays ended', async () => {
  const { url, id, packageUuid } = await server.openUpload({ size: 10 })
  await tusPatch(url, 0, Buffer.alloc(3))
  assert.equal((await tusCall('DELETE', url)).status, 204)
  assert.deepEqual(await server.notifications(id), { ended: { packageUuid, code: 'SYS.1017' } })
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
  assertFailure(await tusCall('DELETE', url), { status: 410, code: 'SoftwarePackage.1133' })
  assertFailure(await tusPatch(url, 3, Buffer.alloc(3)), { status: 410, code: 'SoftwarePackage.1133' })
  assert.equal((await tusHead(url)).status, 410)
})

test('POST may replace PATCH and DELETE', async () => {
  const { url } = await server.openUpload({ size: 10 })
  const version = { 'tus-resumable': '1.0.0' }
  const headers = { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const patched = await tusCall('POST', url, { ...headers, 'x-http-method-override': 'PATCH' }, Buffer.alloc(4))
  assert.deepEqual([patched.status, patched.headers.get('upload-offset')], [204, '4'])
  assert.equal((await tusCall('POST', url, { ...version, 'x-http-method-override': 'DELETE' })).status, 204)
  assert.equal((await tusHead(url)).status, 410)
})
