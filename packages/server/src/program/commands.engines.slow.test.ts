import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { migrationNames } from '@wharf/database/migrations/index.ts'
import { masterKeyPath } from '@wharf/platform/master-key.ts'
import {
  Client,
  reverseCleanup,
  runServerProgram,
  ServerProcess,
  serverEnvironment,
  testEngine,
  testOnce,
  totpCode,
} from '@wharf/testkit'

type Environment = Record<string, string>
const dataOf = (environment: Environment): string => environment.WHARF_DATA ?? ''

/** As `testOnce`. */
const isOnce = testEngine === 'sqlite' || process.env.TEST_LONG !== undefined

async function setUp(t: TestContext, options?: { hasTables: boolean }) {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup, options)
  const server = new ServerProcess(environment)
  cleanup.after(() => server.kill())
  const file = join(dirname(dataOf(environment)), 'wharf.backup')
  return { environment, server, file, cleanup }
}

/** Another folder, and on PostgreSQL another database, that has the master key of the first. */
async function elsewhere(
  cleanup: { after(work: () => Promise<void>): void },
  first: Environment,
): Promise<Environment> {
  const other = await serverEnvironment(cleanup, { hasTables: false })
  if (testEngine === 'postgres') return { ...other, WHARF_MASTER_KEY: first.WHARF_MASTER_KEY ?? '' }
  mkdirSync(dataOf(other), { mode: 0o700 })
  copyFileSync(masterKeyPath(dataOf(first)), masterKeyPath(dataOf(other)))
  return other
}

/** Creates tags until stopped; returns the names of the acknowledged ones. */
function keepWriting(admin: Client): () => Promise<string[]> {
  const acknowledged: string[] = []
  let stopped = false
  const writing = (async () => {
    for (let n = 0; !stopped; n++) {
      const { status } = await admin.post('/v1/tags', { params: { name: `tag ${n}` } })
      if (status === 200) acknowledged.push(`tag ${n}`)
    }
  })()
  return async () => {
    stopped = true
    await writing
    return acknowledged
  }
}

function assertRefused({ code, stdout, stderr }: Awaited<ReturnType<typeof runServerProgram>>, line: RegExp): void {
  assert.match(stderr, line)
  assert.equal(stderr.split('\n').length, 2)
  assert.deepEqual([code, stdout], [1, ''])
}

async function assertBackupRefused(environment: Environment, file: string): Promise<void> {
  const before = readFileSync(file)
  assertRefused(
    await runServerProgram(environment, ['backup', file]),
    new RegExp(`^wharf-server: ${file} already exists; a backup does not overwrite\n$`),
  )
  assert.deepEqual(readFileSync(file), before)
  assertRefused(
    await runServerProgram(environment, ['backup', join(file, 'below')]),
    /^wharf-server: cannot write .*below\.part: [^\n]*\n$/,
  )
  const other = testEngine === 'postgres' ? { WHARF_MASTER_KEY: 'ab'.repeat(32) } : {}
  assert.equal((await runServerProgram({ ...environment, ...other }, ['backup', `${file}.2`])).code, 0)
}

async function assertKeyNeeded(t: TestContext, file: string, fingerprint: string): Promise<void> {
  const target = await serverEnvironment(reverseCleanup(t), { hasTables: false })
  const needs = `needs the master key with fingerprint ${fingerprint}`
  if (testEngine === 'sqlite')
    assertRefused(
      await runServerProgram(target, ['restore', file]),
      new RegExp(`${needs}; there is none here: put it into .*master\\.key`),
    )
  assertRefused(
    await runServerProgram({ ...target, WHARF_MASTER_KEY: 'ab'.repeat(32) }, ['restore', file]),
    new RegExp(`${needs}; the one here has [0-9a-f]{16}`),
  )
  assert.ok(!existsSync(dataOf(target)))
}

test('a backup during writes can be restored elsewhere with the same master key', async (t) => {
  const { environment, server, file, cleanup } = await setUp(t)
  await server.start()
  const { accessKeyId: id, accessKeySecret: secret, managementNodeUuid, hostUuid, backupStorageUuid } = server.bootstrap
  const before = ['before 1', 'before 2']
  for (const name of before) await server.admin.post('/v1/tags', { params: { name } })
  const stopWriting = keepWriting(server.admin)
  const made = await runServerProgram(environment, ['backup', file])
  const acknowledged = await stopWriting()
  assert.equal(made.stderr, '')
  assert.match(
    made.stdout,
    /^\d+ rows written to .*wharf\.backup\nTo restore it you need the master key with fingerprint [0-9a-f]{16}, which is not in it\.\n$/,
  )
  assert.equal(made.code, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(acknowledged.length > 0)
  const fingerprint = /fingerprint (\w+)/.exec(made.stdout)?.[1] ?? ''
  if (isOnce) {
    await t.test('a backup overwrites nothing and needs no key', () => assertBackupRefused(environment, file))
    await t.test('a restore without the key of the backup, or with another, leaves nothing', () =>
      assertKeyNeeded(t, file, fingerprint),
    )
  }
  await server.stop()
  assertRefused(
    await runServerProgram(environment, ['restore', file]),
    /the database contains accounts: restore into an empty one \(of SQLite, move wharf\.db\* away first\)/,
  )

  const target = await elsewhere(cleanup, environment)
  const lastDigest = join(dataOf(target), 'last-digest')
  mkdirSync(dataOf(target), { recursive: true, mode: 0o700 })
  writeFileSync(lastDigest, '{}')
  const restored = await runServerProgram(target, ['restore', file])
  assert.deepEqual([restored.stderr, restored.code], ['', 0])
  assert.ok(!existsSync(lastDigest), 'the restored audit trail may end before the last digest')
  assert.match(restored.stdout, /^\d+ rows restored\. Start the server to continue\.\n$/)

  const second = new ServerProcess(target)
  cleanup.after(() => second.kill())
  await second.start()
  const admin = new Client(second.bootstrap.url, { kind: 'key', id, secret })
  const { body } = await admin.get('/v1/tags')
  const names = new Set((body.inventories as { name: string }[]).map(({ name }) => name))
  assert.ok(before.every((name) => names.delete(name)))
  // one snapshot: everything before it, nothing after it
  assert.deepEqual(names, new Set(acknowledged.slice(0, names.size)))
  assert.equal('accessKeySecret' in second.bootstrap, false)
  assert.equal('password' in second.bootstrap, false)
  // the node of a SQLite database keeps its uuid
  if (testEngine !== 'sqlite') return
  const node = [second.bootstrap.managementNodeUuid, second.bootstrap.hostUuid, second.bootstrap.backupStorageUuid]
  assert.deepEqual(node, [managementNodeUuid, hostUuid, backupStorageUuid])
  const { body: storage } = await admin.get('/v1/backup-storage')
  const urls = (storage.inventories as { url: string }[]).map(({ url }) => url)
  assert.deepEqual(urls, [pathToFileURL(join(dataOf(target), 'backup-storage')).href])
})

test('migrate updates the database; --check only reports, also by its exit code', async (t) => {
  const { environment, server } = await setUp(t, { hasTables: false })
  const all = migrationNames.join(', ')
  const check = () => runServerProgram(environment, ['migrate', '--check'])
  assert.deepEqual(await check(), { code: 1, stdout: `Still to do: ${all}\n`, stderr: '' })
  if (testEngine === 'sqlite') assert.ok(!existsSync(dataOf(environment)))
  const migrate = () => runServerProgram(environment, ['migrate'])
  assert.deepEqual(await migrate(), { code: 0, stdout: `Done: ${all}\n`, stderr: '' })
  assert.deepEqual(await check(), { code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  assert.deepEqual(await migrate(), { code: 0, stdout: 'The database was up to date.\n', stderr: '' })
  if (testEngine === 'sqlite') assert.deepEqual(readdirSync(dataOf(environment)), ['lock', 'wharf.db'])
  const empty = await runServerProgram(environment, ['backup', join(dirname(dataOf(environment)), 'b')])
  assert.deepEqual(
    [empty.code, empty.stderr],
    [1, 'wharf-server: no server has used this database yet: nothing to back up\n'],
  )

  await server.start()
  assert.deepEqual(await check(), { code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  const beside = await migrate()
  if (testEngine === 'sqlite')
    assert.match(beside.stderr, /^wharf-server: another wharf-server works in the data folder/)
  else assert.deepEqual(beside, { code: 0, stdout: 'The database was up to date.\n', stderr: '' })
})

testOnce(
  'reset-password sets a new password, which ends the sessions of the old one, and removes lost factors',
  async (t) => {
    const { environment, server } = await setUp(t)
    await server.start()
    const { password: old } = server.bootstrap
    const logIn = async (password: string) =>
      await new Client(server.bootstrap.url, { kind: 'none' }).put('/v1/accounts/login', {
        logInByAccount: { accountName: 'admin', password },
      })
    const session = ((await logIn(old)).body.inventory as { uuid: string }).uuid
    const earlier = new Client(server.bootstrap.url, { kind: 'session', uuid: session })
    const act = (action: object) => earlier.put('/v1/caller-identity/actions', action)
    const { secret } = (await act({ enrolAuthenticator: { password: old } })).body
    assert.equal((await act({ confirmAuthenticator: { code: totpCode(String(secret)) } })).status, 200)
    const reset = (...words: string[]) => runServerProgram(environment, ['reset-password', ...words])
    assert.match(
      (await reset('nobody')).stderr,
      /^wharf-server: (account nobody does not exist|another wharf-server works in)/,
    )
    if (testEngine === 'sqlite') await server.stop()
    const needsFactor =
      /^The password of admin is now \S{20}\nEach sign-in also requires its second factor; if it is lost, repeat with --remove-second-factors\n$/
    assert.match((await reset()).stdout, needsFactor)
    const { stdout, stderr } = await reset('--remove-second-factors')
    assert.equal(stderr, '')
    if (testEngine === 'sqlite') await server.start()
    const [, password = ''] = /^The password of admin is now (\S{20})\n$/.exec(stdout) ?? []
    assert.deepEqual([(await logIn(password)).status, (await logIn(old)).status], [200, 401])
    const ended = new Client(server.bootstrap.url, { kind: 'session', uuid: session })
    assert.equal((await ended.get('/v1/hosts')).status, 401)
  },
)
