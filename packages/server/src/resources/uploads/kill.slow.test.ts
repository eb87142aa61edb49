import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  reverseCleanup,
  ServerProcess,
  serverEnvironment,
  tusOffset,
  tusPatch,
  tusStart,
  UploadServer,
  uploadProgram,
} from '@wharf/testkit'

const MiB = 1024 * 1024
const kills = 4

test('after kill -9 only the slices that were in progress are sent again', async (t) => {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  const bytes = randomBytes((2 * kills + 4) * MiB)
  const md5 = createHash('md5').update(bytes).digest('hex')
  const first = await UploadServer.open(environment)
  const { url, id } = await first.openUpload({ size: bytes.length, md5 })
  await first.close()
  const at = (port: number | string | undefined): string => url.replace(/:\d+\//, `:${port}/`)

  const server = new ServerProcess(environment, uploadProgram)
  cleanup.after(() => server.kill())
  let reached = 0
  for (let kill = 0; kill < kills; kill++) {
    await server.start()
    const address = at(/:(\d+)/.exec(server.stdout)?.[1])
    const offset = await tusOffset(address)
    assert.ok(offset >= reached, 'what a slice has brought stays')
    const whole = bytes.subarray(offset, offset + MiB)
    assert.equal((await tusPatch(address, offset, whole)).status, 204)
    reached = offset + whole.length
    const cut = await tusStart(address, reached, 3 * MiB, bytes.subarray(reached, reached + MiB + 100))
    await delay(30 * kill)
    await server.kill()
    cut.destroy()
  }

  const last = await UploadServer.open(environment)
  cleanup.after(() => last.close())
  const offset = await tusOffset(at(last.port))
  assert.ok(offset >= reached)
  assert.equal((await tusPatch(at(last.port), offset, bytes.subarray(offset))).status, 204)
  assert.equal((await last.row(id))?.md5, md5)
})
