import { strict as assert } from 'node:assert'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipped, installable, PackageFixture, StallingBytes } from '@wharf/testkit'
import { exitCodeMeanings, exitCodes } from './exit-codes.ts'
import { run } from './run.ts'
import { CapturedIo, environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { closedAddress } from './testing/closed-address.ts'

test('each outcome has its exit code', async (t) => {
  const fixture = await PackageFixture.start(t)
  const { bootstrap } = fixture.server
  const env = environmentOf(bootstrap)
  const folder = freshHome(t)
  const emptyFile = join(folder, 'null.json')
  writeFileSync(emptyFile, 'null')
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{\n"greeting"}')
  const archive = join(folder, 'demo.tar.gz')
  writeFileSync(archive, gzipped(installable()))
  // input errors need no server
  const unreachable = { ...env, WHARF_URL: await closedAddress() }
  const stalling = new StallingBytes(installable(), 100)
  const stalled = fixture.source.serve('stalled.tar', stalling.serve)
  const upload = (name: string) => [
    'package',
    'upload',
    stalled,
    '--type',
    'demo',
    '--host',
    'this-node',
    '--path',
    `${fixture.folder}/${name}`,
  ]

  const rows: {
    name: string
    argv: string[]
    env?: Record<string, string>
    code: keyof typeof exitCodes
    stderr: RegExp
  }[] = [
    { name: 'success', argv: ['host', 'list'], code: 'ok', stderr: /^$/ },
    { name: 'help', argv: ['host', '--help'], code: 'ok', stderr: /^$/ },
    { name: 'the help command', argv: ['help'], code: 'ok', stderr: /^$/ },
    { name: 'help of a command', argv: ['help', 'package', 'upload'], code: 'ok', stderr: /^$/ },
    { name: 'help of an unknown command', argv: ['help', 'hots'], code: 'usage', stderr: /Did you mean host/ },
    { name: 'the version', argv: ['--version'], code: 'ok', stderr: /^$/ },
    { name: 'a server error', argv: ['usage', 'relative'], code: 'failed', stderr: /SoftwarePackage\.1131/ },
    { name: 'an unknown name', argv: ['host', 'show', 'unknown'], code: 'failed', stderr: /no host named unknown/ },
    {
      name: 'no server listening',
      argv: ['host', 'list'],
      env: { ...env, WHARF_URL: await closedAddress() },
      code: 'failed',
      stderr: /cannot reach \S+: connect ECONNREFUSED/,
    },
    { name: 'an unknown command', argv: ['hots'], code: 'usage', stderr: /Did you mean host/ },
    { name: 'an unknown option', argv: ['host', 'list', '--colour'], code: 'usage', stderr: /unknown option/ },
    { name: 'a group without a command', argv: ['host'], code: 'usage', stderr: /Commands:/ },
    { name: 'a missing argument', argv: ['host', 'show'], code: 'usage', stderr: /missing required argument/ },
    { name: 'a missing option', argv: ['host', 'add', 'x'], code: 'usage', stderr: /--address/ },
    {
      name: 'no destination',
      argv: ['package', 'upload', '/etc/hostname', '--type', 'x'],
      code: 'usage',
      stderr: /--host NAME or --backup-storage/,
    },
    {
      name: 'no such file',
      argv: ['package', 'upload', '/nowhere', '--type', 'x', '--backup-storage'],
      code: 'usage',
      stderr: /no file \/nowhere/,
    },
    {
      name: 'a folder',
      argv: ['package', 'upload', '/etc', '--type', 'x', '--backup-storage'],
      code: 'usage',
      stderr: /\/etc is not a file/,
    },
    ...[
      [
        'a configuration that is not JSON',
        '{greeting: 1}',
        /--config is not valid JSON: expected a name .* line 1, column 2/,
      ],
      [
        'a file with a configuration that is not JSON',
        `@${broken}`,
        /--config @.*broken\.json is not valid JSON: .* line 2/,
      ],
    ].map(([name, config, stderr]) => ({
      name: name as string,
      argv: ['package', 'install', 'x', '--config', config as string],
      env: unreachable,
      code: 'usage' as const,
      stderr: stderr as RegExp,
    })),
    {
      name: 'an invalid type',
      argv: ['package', 'upload', '/etc/hostname', '--type', 'my type', '--backup-storage'],
      env: unreachable,
      code: 'usage',
      stderr: /invalid --type "my type": use at most \d+ letters, digits/,
    },
    {
      name: 'no type for a file that declares none',
      argv: ['package', 'upload', '/etc/hostname', '--backup-storage'],
      env: unreachable,
      code: 'usage',
      stderr: /--type is required: \/etc\/hostname has no wharf\.json that declares one/,
    },
    {
      name: 'no type for standard input',
      argv: ['package', 'upload', '-', '--name', 'x', '--backup-storage'],
      env: unreachable,
      code: 'usage',
      stderr: /--type is required for a URL and for standard input/,
    },
    {
      name: 'a type that differs from the package',
      argv: ['package', 'upload', archive, '--type', 'other', '--backup-storage'],
      env: unreachable,
      code: 'usage',
      stderr: /the wharf\.json in .*demo\.tar\.gz declares the type demo\n {2}use --type demo/,
    },
    {
      name: 'an invalid address',
      argv: ['host', 'list', '--url', 'nonsense'],
      code: 'usage',
      stderr: /address such as/,
    },
    {
      name: 'an invalid address without a credential',
      argv: ['host', 'list', '--url', 'notaurl'],
      env: {},
      code: 'usage',
      stderr: /notaurl \(--url\) is not a valid address/,
    },
    {
      name: 'a partial access key',
      argv: ['host', 'list'],
      env: { WHARF_URL: bootstrap.url, WHARF_ACCESS_KEY_ID: 'id' },
      code: 'usage',
      stderr: /WHARF_ACCESS_KEY_SECRET is missing/,
    },
    {
      name: 'an empty credentials file',
      argv: ['host', 'list', '--credentials', emptyFile],
      code: 'failed',
      stderr: /^error: .*null\.json does not contain a JSON object\n.*\n$/,
    },
    {
      name: 'an unknown output format',
      argv: ['host', 'list', '-o', 'xml'],
      code: 'usage',
      stderr: /invalid -o \w+: use table/,
    },
    { name: 'an invalid limit', argv: ['host', 'list', '--limit', '0'], code: 'usage', stderr: /--limit/ },
    { name: 'an unknown profile', argv: ['host', 'list', '--profile', 'x'], code: 'usage', stderr: /no profile x/ },
    {
      name: 'a wrong secret',
      argv: ['host', 'list'],
      env: { ...env, WHARF_ACCESS_KEY_SECRET: 'wrong-secret' },
      code: 'notSignedIn',
      stderr: /ID\.1000/,
    },
    {
      name: 'no credential',
      argv: ['host', 'list'],
      env: { WHARF_URL: bootstrap.url },
      code: 'notSignedIn',
      stderr: /wharf login/,
    },
    { name: 'no server', argv: ['host', 'list'], env: {}, code: 'notSignedIn', stderr: /no server is configured/ },
    { name: 'a timeout', argv: [...upload('slow'), '--timeout', '1'], code: 'timeout', stderr: /SYS\.1001/ },
  ]
  for (const row of rows)
    await t.test(row.name, async () => {
      const { code, stderr } = await runCaptured(row.argv, { env: row.env ?? env })
      assert.equal(code, exitCodes[row.code], stderr)
      assert.match(stderr, row.stderr)
    })

  await t.test('cancelled by another command', async () => {
    const { stdout } = await runCaptured([...upload('cancelled'), '--async'], { env })
    const job = stdout.trim()
    const waiting = runCaptured(['job', 'wait', job], { env })
    assert.equal((await runCaptured(['job', 'cancel', job], { env })).code, 0)
    const { code, stderr } = await waiting
    assert.equal(code, exitCodes.cancelled, stderr)
    assert.match(stderr, new RegExp(`SYS\\.1017[\\s\\S]*job ${job}`))
  })

  const runInterrupted = async (argv: string[], presses = 1) => {
    const io = new CapturedIo({ env, home: freshHome(t) })
    const ended = run(argv, io)
    for (let tries = 0; tries < 500 && !io.isListening; tries++) await delay(10)
    await delay(300)
    for (let press = 0; press < presses; press++) io.interrupt()
    return { io, code: await ended }
  }
  const newestJob = async () =>
    JSON.parse((await runCaptured(['job', 'list', '--limit', '1', '--json'], { env })).stdout)[0]

  await t.test('Ctrl-C stops waiting and keeps the job', async () => {
    const { io, code } = await runInterrupted(upload('left'))
    assert.equal(code, exitCodes.interrupted)
    const job = await newestJob()
    assert.equal(job.state, 'Running')
    assert.match(io.stderrText, new RegExp(`The job continues: wharf job show ${job.uuid}`))
    await runCaptured(['job', 'cancel', job.uuid], { env })
  })

  await t.test('Ctrl-C cancels the job with --cancel-on-interrupt', async () => {
    const { io, code } = await runInterrupted([...upload('undone'), '--cancel-on-interrupt'])
    assert.equal(code, exitCodes.cancelled, io.stderrText)
    assert.match(io.stderrText, /Cancelling/)
    assert.equal((await newestJob()).state, 'Cancelled')
  })

  await t.test('the second Ctrl-C exits immediately', async () => {
    const { io } = await runInterrupted([...upload('twice'), '--cancel-on-interrupt'], 2)
    assert.equal(io.exitedNow, exitCodes.interrupted)
  })
})

test('the documents list every exit code', () => {
  assert.deepEqual(Object.keys(exitCodeMeanings), Object.keys(exitCodes))
  const rows = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |`,
  )
  for (const path of ['../README.md', '../../../docs/cli.md'])
    assert.ok(readFileSync(new URL(path, import.meta.url), 'utf8').includes(rows.join('\n')), path)
})
