import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertFailure, TestServer, tusAnswer, tusCall, tusOffset, tusPatch, tusStart } from '@wharf/testkit'
import { UploadService } from './service.ts'

const MiB = 1024 * 1024

test('the server accepts slices with and without its prefix, and stops during one', async (t) => {
  const server = await TestServer.start(t)
  const { foundation } = server.app
  const { accountUuid } = server.bootstrap
  const { path, id } = await foundation.database.transaction((tx) =>
    new UploadService(foundation).open(tx, {
      packageUuid: 'e'.repeat(32),
      fileName: 'file',
      size: 5 * MiB,
      caller: { accountUuid, userUuid: accountUuid },
    }),
  )
  const [prefixed, bare] = [`${server.url}${path}`, `${new URL(server.url).origin}${path}`]
  assert.equal((await tusPatch(prefixed, 0, Buffer.alloc(10))).status, 204)
  assert.equal((await tusPatch(bare, 10, Buffer.alloc(10))).status, 204)
  assert.equal(await tusOffset(bare), 20)
  assertFailure(await tusCall('PATCH', `${bare}x`), { status: 404, code: 'SYS.1003' })
  assert.equal((await tusCall('OPTIONS', bare, { origin: 'https://example.com' })).status, 204)
  assert.ok(server.logText.includes(`/v1/uploads/${id}`) && !server.logText.includes('signature'))

  const running = await tusStart(bare, 20, 3 * MiB, Buffer.alloc(2 * MiB))
  const answer = tusAnswer(running)
  answer.catch(() => {})
  const gone = new Promise<undefined>((resolve) => running.once('close', () => resolve(undefined)))
  const file = join(foundation.settings.data, 'uploads', id)
  for (let attempt = 0; attempt < 500 && statSync(file).size < MiB; attempt++) await delay(10)
  const began = performance.now()
  await server.app.close()
  // the rest of the slice is not read, so the connection may close before the answer arrives
  const answered = await Promise.race([answer, gone])
  if (answered !== undefined) assert.equal(answered.status, 503)
  running.destroy()
  assert.ok(performance.now() - began < 5000, 'a slice does not hold up a server that stops')
})
