import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { version } from '@wharf/platform/version.ts'
import { makeCertificate, reverseCleanup, runServerProgram, serverEnvironment } from '@wharf/testkit'
import { settingsHelp } from '../composition/setting-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-main-'))
after(() => rmSync(folder, { recursive: true }))
const data = join(folder, 'data')
const secret = 'never-shown'

const obstacle = createServer().listen(0, '127.0.0.1')
await once(obstacle, 'listening')
after(() => obstacle.close())
const { port } = obstacle.address() as AddressInfo

interface Refusal {
  readonly name: string
  readonly environment?: Record<string, string>
  readonly args?: readonly string[]
  readonly code: 1 | 2
  /** The whole line after the name of the program. */
  readonly line: RegExp
}

/** Refused before anything is created. */
const refusals: readonly Refusal[] = [
  {
    name: 'an unknown setting',
    environment: { WHARF_PROT: '1' },
    code: 2,
    line: /^WHARF_PROT is not a setting: did you mean WHARF_PORT\?$/,
  },
  {
    name: 'an invalid value',
    environment: { WHARF_PORT: 'http' },
    code: 2,
    line: /^WHARF_PORT is "http": it must be a whole number from 0 to 65535$/,
  },
  {
    name: 'an invalid secret',
    environment: { WHARF_MASTER_KEY: secret },
    code: 2,
    line: /^WHARF_MASTER_KEY is \[secret\]: it must be 32 bytes/,
  },
  {
    name: 'a contradiction',
    environment: { WHARF_TLS_CERT: import.meta.filename },
    code: 2,
    line: /^WHARF_TLS_CERT and WHARF_TLS_KEY belong together/,
  },
  {
    name: 'PostgreSQL without a key',
    environment: { WHARF_DATABASE_URL: 'postgres://a@b/c' },
    code: 2,
    line: /^WHARF_DATABASE_URL needs WHARF_MASTER_KEY/,
  },
  {
    name: 'an unknown command',
    args: ['frobnicate', 'it'],
    code: 2,
    line: /^"frobnicate it" is not a command: see wharf-server --help$/,
  },
  { name: 'an unknown option', args: ['--frob'], code: 2, line: /^Unknown option '--frob': see wharf-server --help$/ },
  {
    name: 'an option at the wrong place',
    args: ['--check'],
    code: 2,
    line: /^--check belongs to migrate: see wharf-server --help$/,
  },
  { name: 'a backup without a file', args: ['backup'], code: 2, line: /^"backup" is not a command/ },
  { name: 'too many files', args: ['restore', 'a', 'b'], code: 2, line: /^"restore a b" is not a command/ },
  {
    name: 'an invalid certificate',
    environment: { WHARF_TLS_CERT: import.meta.filename, WHARF_TLS_KEY: import.meta.filename },
    code: 1,
    line: /^the TLS certificate .* does not begin with a certificate in PEM form$/,
  },
  {
    name: 'a backup without a database',
    args: ['backup', join(folder, 'backup')],
    code: 1,
    line: /^there is no database in .*data: nothing to back up$/,
  },
  {
    name: 'a missing backup',
    args: ['restore', join(folder, 'backup')],
    code: 1,
    line: /^cannot read .*backup: ENOENT$/,
  },
]

const oneLine = (stderr: string): string => {
  assert.match(stderr, /^wharf-server: [^\n]+\n$/)
  assert.ok(!stderr.includes(secret))
  return stderr.slice('wharf-server: '.length, -1)
}

test('refusals are one clear line, and nothing is created', async (t) => {
  for (const { name, environment = {}, args = [], code, line } of refusals)
    await t.test(name, async () => {
      const ended = await runServerProgram({ WHARF_DATA: data, ...environment }, args)
      assert.match(oneLine(ended.stderr), line)
      assert.deepEqual([ended.code, ended.stdout], [code, ''])
      assert.ok(!existsSync(data))
    })
})

const file = join(folder, 'file')
writeFileSync(file, '')
const masterKey = { WHARF_MASTER_KEY: 'ab'.repeat(32) }

/** Detected during the start: existing files are not changed. */
const failures: readonly Omit<Refusal, 'code'>[] = [
  {
    name: 'a taken port',
    environment: { WHARF_PORT: String(port) },
    line: new RegExp(`^cannot listen on 127\\.0\\.0\\.1 port ${port}: the port is in use`),
  },
  {
    name: 'an address of another machine',
    environment: { WHARF_HOST: '192.0.2.1' },
    line: /^cannot listen on 192\.0\.2\.1 port 0: this machine has no such address; set WHARF_HOST/,
  },
  {
    name: 'a file in place of the data folder',
    environment: { WHARF_DATA: file },
    line: /^the data folder .*file cannot be used: it is not a folder$/,
  },
  {
    name: 'an unreachable PostgreSQL',
    environment: { ...masterKey, WHARF_DATABASE_URL: `postgres://a:${secret}@127.0.0.1:1/c` },
    line: /^the PostgreSQL of WHARF_DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  },
]

test('a failed start prints one clear line', async (t) => {
  const environment = await serverEnvironment(reverseCleanup(t))
  for (const { name, environment: more, line } of failures)
    await t.test(name, async () => {
      const ended = await runServerProgram({ ...environment, ...more })
      assert.match(oneLine(ended.stderr), line)
      assert.deepEqual([ended.code, ended.stdout], [1, ''])
    })
  await t.test('another master key than the one of the database', async () => {
    const ended = await runServerProgram({ ...environment, ...masterKey })
    assert.match(
      oneLine(ended.stderr),
      /^the database needs the master key with fingerprint [0-9a-f]{16}; the configured one has [0-9a-f]{16}: give the key of this database, or put the database of this key back$/,
    )
    assert.equal(ended.code, 1)
  })
})

test('a database whose master key is missing gets no other key', async (t) => {
  const environment = { WHARF_DATA: join((await serverEnvironment(reverseCleanup(t))).WHARF_DATA ?? '', 'own') }
  await runServerProgram({ ...environment, WHARF_PORT: String(port) })
  const key = join(environment.WHARF_DATA, 'master.key')
  rmSync(key)
  const ended = await runServerProgram({ ...environment, WHARF_PORT: String(port) })
  assert.match(
    oneLine(ended.stderr),
    /^the database needs the master key with fingerprint [0-9a-f]{16}, and .*master\.key is missing: put it back$/,
  )
  assert.ok(!existsSync(key))
})

test('--help lists the commands and every setting, in any environment', async () => {
  for (const option of ['--help', '-h']) {
    const { code, stdout, stderr } = await runServerProgram({ WHARF_NONSENSE: '1' }, [option])
    assert.deepEqual([code, stderr], [0, ''])
    for (const word of ['backup FILE', 'restore FILE', 'migrate --check', settingsHelp()])
      assert.ok(stdout.includes(word), word)
    assert.ok(stdout.split('\n').every((line) => line.length <= 120))
  }
})

test('--version prints the version', async () => {
  for (const option of ['--version', '-v'])
    assert.deepEqual(await runServerProgram({}, [option]), { code: 0, stdout: `${version}\n`, stderr: '' })
})

test('a certificate that does not match its key stops the start', async () => {
  const [one, other] = [makeCertificate(folder, 'one'), makeCertificate(folder, 'other')]
  mkdirSync(data, { recursive: true })
  const ended = await runServerProgram({ WHARF_DATA: data, WHARF_TLS_CERT: one.cert, WHARF_TLS_KEY: other.key })
  assert.match(oneLine(ended.stderr), /^the TLS key .*other\.key does not belong to the certificate .*one\.crt$/)
  assert.equal(ended.code, 1)
})
