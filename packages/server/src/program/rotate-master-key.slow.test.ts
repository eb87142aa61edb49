import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { masterKeyPath, nextMasterKeyPath } from '@wharf/platform/master-key.ts'
import { reverseCleanup, runServerProgram, ServerProcess, serverEnvironment } from '@wharf/testkit'

test('a running server takes a new master key, also when it is killed meanwhile', async (t) => {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  // on PostgreSQL; on SQLite it is in the data folder
  const isSetting = 'WHARF_MASTER_KEY' in environment
  const data = environment.WHARF_DATA ?? ''
  const server = new ServerProcess(environment)
  cleanup.after(() => server.kill())
  await server.start()
  const endpoint = { params: { name: 'chat', type: 'Slack', url: 'https://hooks.example/secret' } }
  assert.equal((await server.admin.post('/v1/sns/application-endpoints/chatapp', endpoint)).status, 200)
  const file = join(dirname(data), 'new.key')
  const newKey = randomBytes(32).toString('base64')
  writeFileSync(file, newKey)
  const args = ['rotate-master-key', ...(isSetting ? [file] : [])]

  const rotating = runServerProgram(environment, args)
  await new Promise((resolve) => setTimeout(resolve, 1500 + Math.random() * 1500))
  await server.kill()
  await server.start().catch(async () => {
    // the rotation had ended: a key that is a setting is the operator's to replace
    assert.ok(isSetting && server.stderr.includes('the database needs the master key'), server.stderr)
  })
  const { stdout, stderr, code } = await rotating
  assert.deepEqual([stderr, code], ['', 0])
  const to = /now has the fingerprint (\w+); nothing is sealed with the former one/.exec(stdout)?.[1]
  assert.ok(to, stdout)
  await server.stop()

  if (isSetting) {
    const old = await runServerProgram(environment)
    assert.match(old.stderr, new RegExp(`the database needs the master key with fingerprint ${to}`))
  } else {
    assert.ok(!existsSync(nextMasterKeyPath(data)))
    assert.ok(readFileSync(masterKeyPath(data), 'utf8').length > 40)
  }
  const again = new ServerProcess(isSetting ? { ...environment, WHARF_MASTER_KEY: newKey } : environment)
  cleanup.after(() => again.kill())
  await again.start()
  assert.equal((await again.admin.get('/v1/hosts')).status, 200)
  assert.doesNotMatch(`${server.stderr}${again.stderr}${server.stdout}`, /opens with neither key/)
})

test('without a running server the command rotates the key itself; a key in a setting is replaced by its operator', async (t) => {
  const cleanup = reverseCleanup(t)
  const former = randomBytes(32).toString('hex')
  const base = await serverEnvironment(cleanup)
  const environment: Record<string, string> = { ...base, WHARF_MASTER_KEY: former }
  const server = new ServerProcess(environment)
  cleanup.after(() => server.kill())
  await server.start()
  await server.stop()
  const refused = await runServerProgram(environment, ['rotate-master-key'])
  assert.match(refused.stderr, /write a new one to a file \(openssl rand -base64 32\) and run rotate-master-key FILE/)
  const file = join(dirname(environment.WHARF_DATA ?? ''), 'new.key')
  const newKey = randomBytes(32).toString('hex')
  writeFileSync(file, newKey)
  const { stdout, stderr } = await runServerProgram(environment, ['rotate-master-key', file])
  assert.equal(stderr, '')
  assert.match(stdout, /nothing is sealed with the former one.*put the new key where WHARF_MASTER_KEY/s)
  assert.match((await runServerProgram(environment)).stderr, /the database needs the master key with fingerprint/)
  const again = new ServerProcess({ ...environment, WHARF_MASTER_KEY: newKey })
  cleanup.after(() => again.kill())
  await again.start()
  assert.equal((await again.admin.get('/v1/hosts')).status, 200)
})
