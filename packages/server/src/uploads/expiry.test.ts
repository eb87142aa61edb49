import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { assertFailure, MovingClock, tusHead, tusPatch, UploadServer } from '@wharf/testkit'

const hourMs = 3_600_000

test('an upload ends 72 hours after its last slice, not after its first', async (t) => {
  const clock = new MovingClock()
  const server = await UploadServer.start(t, { clock })
  const { url, id, packageUuid } = await server.openUpload({ size: 100 })
  clock.advance(71 * hourMs)
  const { headers } = await tusPatch(url, 0, Buffer.alloc(10))
  assert.equal(headers.get('upload-expires'), new Date(clock.now() + 72 * hourMs).toUTCString())
  clock.advance(71 * hourMs)
  assert.deepEqual(await server.uploads.removeExpired(), [])
  assert.equal((await tusHead(url)).headers.get('upload-offset'), '10')

  clock.advance(hourMs)
  assertFailure(await tusPatch(url, 10, Buffer.alloc(10)), { status: 410, code: 'SoftwarePackage.1133' })
  assert.equal((await tusHead(url)).status, 410)
  assert.deepEqual(await server.told(id), {}, 'nobody has looked yet')
  assert.deepEqual(await server.uploads.removeExpired(), [packageUuid])
  assert.deepEqual(await server.told(id), { ended: { packageUuid, code: 'SoftwarePackage.1133' } })
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
  assert.deepEqual(await server.uploads.removeExpired(), [])
})

test('what has ended is 410 for ever, also when its row is gone', async (t) => {
  const clock = new MovingClock()
  const server = await UploadServer.start(t, { clock })
  const { url, id } = await server.openUpload({ size: 100 })
  clock.advance(100 * hourMs)
  await server.uploads.removeExpired()
  clock.advance(30 * 24 * hourMs)
  await server.uploads.removeExpired()
  assert.equal(await server.row(id), undefined)
  assertFailure(await tusPatch(url, 0, Buffer.alloc(1)), { status: 410, code: 'SoftwarePackage.1133' })
})

test('a finished upload does not expire', async (t) => {
  const clock = new MovingClock()
  const server = await UploadServer.start(t, { clock })
  const { url, id } = await server.openUpload({ size: 3 })
  await tusPatch(url, 0, Buffer.alloc(3))
  clock.advance(100 * hourMs)
  assert.deepEqual(await server.uploads.removeExpired(), [])
  assert.equal((await tusHead(url)).headers.get('upload-offset'), '3')
  assert.equal(existsSync(server.uploads.spoolFile(id)), true, 'whoever carries it off has not come yet')
})
