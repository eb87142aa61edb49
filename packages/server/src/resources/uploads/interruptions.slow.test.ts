import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { tusAnswer, tusCall, tusHead, tusOffset, tusPatch, tusStart, UploadServer } from '@wharf/testkit'

const MiB = 1024 * 1024
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

const cleanups: (() => Promise<void>)[] = []
let server: UploadServer
before(async () => {
  server = await UploadServer.start({ after: (work) => void cleanups.push(work) })
})
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

/** Waits until the server has written this many bytes. */
async function untilWritten(id: string, bytes: number): Promise<void> {
  const file = server.uploads.spoolFile(id)
  for (let attempt = 0; attempt < 500; attempt++) {
    if (existsSync(file) && statSync(file).size >= bytes) return
    await delay(5)
  }
  throw new Error(`${bytes} bytes were not written`)
}

test('HEAD interrupts a slice whose client is silent, and counts the bytes that arrived', async () => {
  const bytes = randomBytes(5 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  const silent = await tusStart(url, 0, 4 * MiB, bytes.subarray(0, 3 * MiB + 500))
  await untilWritten(id, 3 * MiB)
  assert.equal(await tusOffset(url), 3 * MiB + 500)
  const { status, text } = await tusAnswer(silent)
  assert.equal(status, 409)
  assert.match(text, /a newer request has taken over this upload/)
  // later bytes of it are read and discarded
  silent.write(bytes.subarray(3 * MiB + 500, 4 * MiB))
  assert.equal((await tusPatch(url, 3 * MiB + 500, bytes.subarray(3 * MiB + 500))).status, 204)
  assert.equal((await server.row(id))?.md5, md5(bytes))
  silent.destroy()
})

test('a new PATCH interrupts a running slice, and its answer contains the offset', async () => {
  const bytes = randomBytes(3 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  const silent = await tusStart(url, 0, bytes.length, bytes.subarray(0, 2 * MiB))
  await untilWritten(id, 2 * MiB)
  const again = await tusPatch(url, 0, bytes)
  assert.equal(again.status, 409)
  assert.match(again.text, /offset of the upload is 2097152/)
  assert.equal((await tusAnswer(silent)).status, 409)
  silent.destroy()
  assert.equal((await tusPatch(url, 2 * MiB, bytes.subarray(2 * MiB))).status, 204)
  assert.equal((await server.row(id))?.md5, md5(bytes))
})

test('a refused request interrupts no slice', async () => {
  const { url, id } = await server.openUpload({ size: 10 })
  const running = await tusStart(url, 0, 10, Buffer.alloc(4))
  await delay(20)
  const refused = [
    await tusCall('PATCH', `${url}x`),
    await tusCall('HEAD', url, {}),
    await tusPatch(url, 0, Buffer.alloc(5), { 'upload-checksum': 'md5 AA==' }),
    await tusPatch(url, 0, Buffer.alloc(5), { 'content-type': 'text/plain' }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 412, 400, 415],
  )
  running.write(Buffer.alloc(6))
  assert.equal((await tusAnswer(running)).status, 204)
  running.destroy()
  assert.equal((await server.row(id))?.state, 'Finished')
})

test('DELETE ends an upload while a slice runs', async () => {
  const { url, id } = await server.openUpload({ size: 10 })
  const running = await tusStart(url, 0, 10, Buffer.alloc(4))
  await delay(20)
  assert.equal((await tusCall('DELETE', url)).status, 204)
  assert.ok([409, 410].includes((await tusAnswer(running)).status))
  running.destroy()
  assert.equal((await server.row(id))?.state, 'Ended')
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
})

test('the package may end its upload while a slice runs; the client gets 410', async () => {
  const { url, id, packageUuid } = await server.openUpload({ size: 10 })
  const running = await tusStart(url, 0, 10, Buffer.alloc(4))
  await delay(20)
  await server.database.transaction((tx) => server.uploads.end(tx, packageUuid))
  assert.equal((await tusAnswer(running)).status, 410)
  running.destroy()
  assert.equal((await tusHead(url)).status, 410)
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
  assert.deepEqual(await server.notifications(id), {})
})

test('a slow client delays no other, and its slice arrives', async () => {
  const bytes = randomBytes(40)
  const { url, id } = await server.openUpload({ size: bytes.length })
  const slow = await tusStart(url, 0, bytes.length, bytes.subarray(0, 1))
  // more than the number of buffers
  const idle = await Promise.all(
    Array.from({ length: 20 }, async () => tusStart((await server.openUpload({ size: 9 })).url, 0, 9, Buffer.alloc(3))),
  )
  const big = randomBytes(20 * MiB)
  const other = await server.openUpload({ size: big.length })
  assert.equal((await tusPatch(other.url, 0, big)).status, 204)
  for (let sent = 1; sent < bytes.length; sent++) {
    await delay(2)
    slow.write(bytes.subarray(sent, sent + 1))
  }
  assert.equal((await tusAnswer(slow)).status, 204)
  for (const socket of [slow, ...idle]) socket.destroy()
  assert.equal((await server.row(id))?.md5, md5(bytes))
})

test('two clients that race for one upload finish it together', async () => {
  const bytes = randomBytes(6 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length, md5: md5(bytes) })
  const race = async (sliceBytes: number): Promise<void> => {
    for (let attempt = 0; attempt < 300; attempt++) {
      const offset = await tusOffset(url)
      if (offset === bytes.length) return
      const { status, text } = await tusPatch(url, offset, bytes.subarray(offset, offset + sliceBytes))
      assert.ok(status === 204 || status === 409, text)
      await delay(Math.random() * 10)
    }
    throw new Error('they never come to an end')
  }
  await Promise.all([race(300_000), race(500_000)])
  await server.waitForState(id, 'Finished')
  assert.deepEqual(Object.keys(await server.notifications(id)), ['finished'])
})
