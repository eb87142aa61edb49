import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  assertFailure,
  reverseCleanup,
  serverEnvironment,
  tusAnswer,
  tusOffset,
  tusPatch,
  tusStart,
  UploadServer,
} from '@wharf/testkit'

const MiB = 1024 * 1024
const spoolMiB = 40

/** A server whose spool is a separate small file system. */
async function withSmallSpool(t: TestContext): Promise<UploadServer> {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  const spool = join(environment.WHARF_DATA ?? '', 'uploads')
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${spoolMiB}m`, 'tmpfs', spool])
  assert.equal(mounted.status, 0, String(mounted.stderr))
  cleanup.after(async () => void spawnSync('umount', [spool]))
  const server = await UploadServer.open(environment)
  cleanup.after(() => server.close())
  return server
}

const skip = process.getuid?.() === 0 ? false : 'mounting a small file system needs root'
const noSpace = { status: 507, code: 'SoftwarePackage.1121', details: 'reserved for the database' }

test('a slice larger than the free space of the spool is refused before it is read', { skip }, async (t) => {
  const server = await withSmallSpool(t)
  const { url } = await server.openUpload({ size: 60 * MiB })
  assert.equal((await tusPatch(url, 0, Buffer.alloc(10 * MiB))).status, 204)
  assertFailure(await tusPatch(url, 10 * MiB, Buffer.alloc(20 * MiB)), noSpace)
  assert.equal(await tusOffset(url), 10 * MiB)
  assert.equal((await tusPatch(url, 10 * MiB, Buffer.alloc(5 * MiB))).status, 204, 'a smaller one has room')
  await assert.rejects(server.uploads.requireSpace(30 * MiB), { code: 'SoftwarePackage.1121' })
  await server.uploads.requireSpace(5 * MiB)
})

test('concurrent slices stop at the reserve of the disk, although each alone would fit', { skip }, async (t) => {
  const server = await withSmallSpool(t)
  const urls = await Promise.all(
    Array.from({ length: 4 }, async () => (await server.openUpload({ size: 60 * MiB })).url),
  )
  const answers = await Promise.all(urls.map((url) => tusPatch(url, 0, Buffer.alloc(20 * MiB))))
  assert.ok(answers.some(({ status }) => status === 507))
  assert.ok((await server.uploads.freeBytes()) > 8 * MiB)
})

test('when the disk fills up during a slice, no byte of it is kept and the server continues', { skip }, async (t) => {
  const server = await withSmallSpool(t)
  const { url, id } = await server.openUpload()
  assert.equal((await tusPatch(url, 0, Buffer.alloc(MiB, 'a'))).status, 204)
  // chunked, so that its length is unknown in advance
  const socket = await tusStart(url, MiB, undefined, Buffer.alloc(0))
  const answer = tusAnswer(socket)
  for (let sent = 0; sent < spoolMiB + 2; sent++) {
    socket.write(`${MiB.toString(16)}\r\n`)
    socket.write(Buffer.alloc(MiB, 'b'))
    socket.write('\r\n')
  }
  const { status, text } = await answer
  socket.destroy()
  assert.equal(status, 507)
  assert.match(text, /SoftwarePackage\.1121.*reserved for the database/)
  assert.equal(statSync(server.uploads.spoolFile(id)).size, MiB)
  assert.deepEqual(readdirSync(join(server.environment.WHARF_DATA ?? '', 'uploads')), [id])
  assert.equal((await tusPatch(url, MiB, Buffer.alloc(MiB, 'c'), { 'upload-length': String(2 * MiB) })).status, 204)
  assert.equal((await server.row(id))?.state, 'Finished')
})
