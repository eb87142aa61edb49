import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startHosts, TestServer } from '@wharf/testkit'
import { environmentOf, freshHome, runCaptured } from '../../testing/captured-io.ts'

test('host add prompts for the host key on a terminal', async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  const server = await TestServer.start(t)
  const home = freshHome(t)
  const env = environmentOf(server.bootstrap)
  const { address, port, username, privateKey, hostKeyFingerprint } = machine
  const identity = join(home, 'key')
  writeFileSync(identity, privateKey)
  const sshOptions = ['--port', String(port), '--user', username, '--identity', identity]
  const add = (name: string, options: { columns?: number; answers?: string[] }) =>
    runCaptured(['host', 'add', name, '--address', address, ...sshOptions, '--json'], { env, home, ...options })

  const shown = await runCaptured(['host', 'keys', address, '--port', String(port), '--json'], { env, home })
  assert.equal(shown.code, 0, shown.stderr)
  assert.deepEqual(JSON.parse(shown.stdout)[0].fingerprint, hostKeyFingerprint)

  for (const answer of ['n', '']) {
    const refused = await add('web-0', { columns: 80, answers: [answer] })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /its key is not trusted/)
  }
  assert.deepEqual((await server.admin.get('/v1/api-jobs')).body.inventories, [])

  for (const options of [{ columns: 80, answers: ['y'] }, {}]) {
    const { code, stdout, stderr } = await add('web-1', options)
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).hostKeyFingerprint, hostKeyFingerprint)
  }
})
