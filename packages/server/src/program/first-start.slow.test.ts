import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, reverseCleanup, ServerProcess, sampled, serverEnvironment, testEngine } from '@wharf/testkit'

async function newServer(t: TestContext): Promise<ServerProcess> {
  const cleanup = reverseCleanup(t)
  const server = new ServerProcess(await serverEnvironment(cleanup, { hasTables: false }))
  cleanup.after(() => server.kill())
  return server
}
const dataOf = ({ environment }: ServerProcess): string => environment.WHARF_DATA ?? ''

/** The duration of a first start on this machine. */
let usualMs = 0

/** Both credentials in bootstrap.json. */
async function assertCredentialsWork(server: ServerProcess): Promise<void> {
  const { url, accountName, password, managementNodeUuid } = server.bootstrap
  const { status, body } = await server.admin.get('/v1/management-nodes')
  assert.equal(status, 200)
  assert.deepEqual(
    (body.inventories as { uuid: string }[]).map(({ uuid }) => uuid),
    [managementNodeUuid],
  )
  const login = { logInByAccount: { accountName, password } }
  const anonymous = new Client(url, { kind: 'none' })
  assert.equal((await anonymous.put('/v1/accounts/login', login)).status, 200)
}

test('a first start creates exactly its files, for their owner only, with any umask', async (t) => {
  const server = await newServer(t)
  const before = process.umask(0)
  t.after(() => process.umask(before))
  usualMs = await server.start()
  const data = dataOf(server)
  const modes = Object.fromEntries(
    // the file of a write that is in progress
    ['.', ...readdirSync(data).filter((name) => !name.endsWith('.new'))].map((name) => [
      name,
      (statSync(join(data, name)).mode & 0o777).toString(8),
    ]),
  )
  const folders = {
    '.': '700',
    'backup-storage': '700',
    ssh: '700',
    uploads: '700',
    zips: '700',
    'release-cache': '700',
  }
  const always = { ...folders, 'bootstrap.json': '600', lock: '600', 'node-uuid': '600' }
  const sqlite = {
    'last-write': '600',
    'master.key': '600',
    'wharf.db': '600',
    'wharf.db-shm': '600',
    'wharf.db-wal': '600',
  }
  assert.deepEqual(modes, { ...always, ...(testEngine === 'sqlite' ? sqlite : {}) })
  await assertCredentialsWork(server)

  assert.equal(await server.stop(), 0)
  await server.start()
  await assertCredentialsWork(server)
})

/** Starts for the first time and kills the process at `moment`. */
async function killedStart(server: ServerProcess, moment: () => Promise<void>): Promise<void> {
  // it is never ready, or just became ready
  const starting = server.start().catch(() => {})
  await moment()
  await server.kill()
  await starting
}

const ofSqlite = testEngine === 'sqlite' ? ['wharf.db-wal', 'wharf.db', 'master.key'] : []
const files = [...ofSqlite, 'lock', 'node-uuid', 'bootstrap.json', 'backup-storage', 'ssh', 'bootstrap.json.new']

for (const name of sampled(files, 5))
  test(`the next start completes a first start that is killed when ${name} appears`, async (t) => {
    const server = await newServer(t)
    await killedStart(server, async () => {
      for (let tries = 0; tries < 20_000 && !existsSync(join(dataOf(server), name)); tries++) {
        await delay(0)
        if (server.stdout.includes('is ready at')) break
      }
    })
    await server.start()
    await assertCredentialsWork(server)
  })

const kills = process.env.TEST_LONG ? 40 : 1

for (let kill = 1; kill <= kills; kill++)
  test(`the next start completes a first start that is killed at any moment, ${kill} of ${kills}`, async (t) => {
    const server = await newServer(t)
    // skips the loading of the program, before it writes anything
    await killedStart(server, () => delay(usualMs * (0.3 + Math.random() * 0.8)))
    await server.start()
    assert.equal((await server.admin.get('/v1/management-nodes')).status, 200)
  })
