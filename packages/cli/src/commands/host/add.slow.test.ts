import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startHosts, TestServer } from '@wharf/testkit'
import { environmentOf, freshHome, runCaptured } from '../../testing/captured-io.ts'

test('whoever sits at a terminal sees the key of a host before it is added', async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  const server = await TestServer.start(t)
  const home = freshHome(t)
  const env = environmentOf(server.bootstrap)
  const { address, port, username, privateKey, hostKeyFingerprint } = machine
  const identity = join(home, 'key')
  writeFileSync(identity, privateKey)
  const way = ['--port', String(port), '--user', username, '--identity', identity]
  const add = (name: string, world: { columns?: number; answers?: string[] }) =>
    runCaptured(['host', 'add', name, '--address', address, ...way, '--json'], { env, home, ...world })

  const shown = await runCaptured(['host', 'keys', address, '--port', String(port), '--json'], { env, home })
  assert.equal(shown.code, 0, shown.stderr)
  assert.deepEqual(JSON.parse(shown.stdout)[0].fingerprint, hostKeyFingerprint)

  for (const answer of ['n', '']) {
    const refused = await add('web-0', { columns: 80, answers: [answer] })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /its key is not trusted/)
  }
  assert.deepEqual((await server.admin.get('/v1/api-jobs')).body.inventories, [])

  for (const world of [{ columns: 80, answers: ['y'] }, {}]) {
    const { code, stdout, stderr } = await add('web-1', world)
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).hostKeyFingerprint, hostKeyFingerprint)
  }
})
