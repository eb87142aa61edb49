import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertFailure, MovingClock, tusAnswer, tusHead, tusPatch, tusStart, UploadServer } from '@wharf/testkit'

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
  assert.deepEqual(await server.notifications(id), {}, 'nobody has looked yet')
  assert.deepEqual(await server.uploads.removeExpired(), [packageUuid])
  assert.deepEqual(await server.notifications(id), { ended: { packageUuid, code: 'SoftwarePackage.1133' } })
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
  assert.deepEqual(await server.uploads.removeExpired(), [])
})

test('an upload ends 7 days after it was opened, however often slices arrive', async (t) => {
  const clock = new MovingClock()
  const server = await UploadServer.start(t, { clock })
  const { url, id, packageUuid } = await server.openUpload({ size: 100 })
  const lastDate = new Date(clock.now() + 7 * 24 * hourMs).toUTCString()
  for (let day = 0; day < 6; day++) {
    clock.advance(24 * hourMs)
    assert.equal((await tusPatch(url, day, Buffer.alloc(1))).status, 204)
  }
  assert.equal((await tusHead(url)).headers.get('upload-expires'), lastDate)
  const checksum = { 'upload-checksum': `sha1 ${hash('sha1', Buffer.alloc(10), 'base64')}` }
  const socket = await tusStart(url, 6, 10, Buffer.alloc(2), checksum)
  while ((await server.row(id))?.uncheckedFrom === null) await delay(5)
  const answered = tusAnswer(socket)
  clock.advance(24 * hourMs)
  assert.deepEqual(await server.uploads.removeExpired(), [packageUuid], 'also while a slice is coming')
  assert.equal((await answered).status, 410)
  assert.equal((await tusHead(url)).status, 410)
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
})

test('an empty slice does not extend an upload', async (t) => {
  const clock = new MovingClock()
  const server = await UploadServer.start(t, { clock })
  const { url } = await server.openUpload({ size: 100 })
  clock.advance(71 * hourMs)
  const { status, headers } = await tusPatch(url, 0, Buffer.alloc(0))
  assert.deepEqual([status, headers.get('upload-expires')], [204, new Date(clock.now() + hourMs).toUTCString()])
  clock.advance(hourMs)
  assert.equal((await tusHead(url)).status, 410)
})

test('an ended upload is 410 indefinitely, also after its row is deleted', async (t) => {
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
  assert.equal(existsSync(server.uploads.spoolFile(id)), true, 'the package has not taken the bytes yet')
})
