import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipped, installable, PackageWorld, StallingBytes } from '@wharf/testkit'
import { exitCodeMeanings, exitCodes } from './exit-codes.ts'
import { run } from './run.ts'
import { CapturedIo, environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { closedAddress } from './testing/closed-address.ts'

test('each outcome has its exit code', async (t) => {
  const world = await PackageWorld.start(t)
  const { bootstrap } = world.server
  const env = environmentOf(bootstrap)
  const folder = freshHome(t)
  const nothing = join(folder, 'null.json')
  writeFileSync(nothing, 'null')
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{\n"greeting"}')
  const archive = join(folder, 'demo.tar.gz')
  writeFileSync(archive, gzipped(installable()))
  // what is refused before anything is sent is refused without a server too
  const away = { ...env, WHARF_URL: await closedAddress() }
  const stalling = new StallingBytes(installable(), 100)
  const stalled = world.source.serve('stalled.tar', stalling.serve)
  const upload = (name: string) => [
    'package',
    'upload',
    stalled,
    '--type',
    'demo',
    '--host',
    'this-node',
    '--path',
    `${world.folder}/${name}`,
  ]

  const rows: {
    name: string
    argv: string[]
    env?: Record<string, string>
    code: keyof typeof exitCodes
    says: RegExp
  }[] = [
    { name: 'done', argv: ['host', 'list'], code: 'ok', says: /^$/ },
    { name: 'help', argv: ['host', '--help'], code: 'ok', says: /^$/ },
    { name: 'help as a word', argv: ['help'], code: 'ok', says: /^$/ },
    { name: 'help about a command', argv: ['help', 'package', 'upload'], code: 'ok', says: /^$/ },
    { name: 'help about nothing', argv: ['help', 'hots'], code: 'usage', says: /Did you mean host/ },
    { name: 'the version', argv: ['--version'], code: 'ok', says: /^$/ },
    { name: 'refused by the server', argv: ['usage', 'relative'], code: 'failed', says: /SoftwarePackage\.1131/ },
    { name: 'a name that nothing has', argv: ['host', 'show', 'nobody'], code: 'failed', says: /no host named nobody/ },
    {
      name: 'nobody there',
      argv: ['host', 'list'],
      env: { ...env, WHARF_URL: await closedAddress() },
      code: 'failed',
      says: /cannot be reached: connect ECONNREFUSED/,
    },
    { name: 'an unknown command', argv: ['hots'], code: 'usage', says: /Did you mean host/ },
    { name: 'an unknown option', argv: ['host', 'list', '--colour'], code: 'usage', says: /unknown option/ },
    { name: 'a group alone', argv: ['host'], code: 'usage', says: /Commands:/ },
    { name: 'a missing argument', argv: ['host', 'show'], code: 'usage', says: /missing required argument/ },
    { name: 'a missing option', argv: ['host', 'add', 'x'], code: 'usage', says: /--address/ },
    {
      name: 'no destination',
      argv: ['package', 'upload', '/etc/hostname', '--type', 'x'],
      code: 'usage',
      says: /--host NAME or --backup-storage/,
    },
    {
      name: 'no such file',
      argv: ['package', 'upload', '/nowhere', '--type', 'x', '--backup-storage'],
      code: 'usage',
      says: /no file \/nowhere/,
    },
    {
      name: 'a folder',
      argv: ['package', 'upload', '/etc', '--type', 'x', '--backup-storage'],
      code: 'usage',
      says: /\/etc is not a file/,
    },
    ...[
      ['a configuration that is not JSON', '{greeting: 1}', /--config is not valid JSON: a name .* line 1, column 2/],
      [
        'a file with a configuration that is not JSON',
        `@${broken}`,
        /--config @.*broken\.json is not valid JSON: .* line 2/,
      ],
    ].map(([name, config, says]) => ({
      name: name as string,
      argv: ['package', 'install', 'x', '--config', config as string],
      env: away,
      code: 'usage' as const,
      says: says as RegExp,
    })),
    {
      name: 'a type that is none',
      argv: ['package', 'upload', '/etc/hostname', '--type', 'my type', '--backup-storage'],
      env: away,
      code: 'usage',
      says: /--type "my type" is not a type: letters, digits/,
    },
    {
      name: 'another type than the package declares',
      argv: ['package', 'upload', archive, '--type', 'other', '--backup-storage'],
      env: away,
      code: 'usage',
      says: /the wharf\.json in .*demo\.tar\.gz declares the type demo\n {2}give --type demo/,
    },
    {
      name: 'an address that is none',
      argv: ['host', 'list', '--url', 'nonsense'],
      code: 'usage',
      says: /address such as/,
    },
    {
      name: 'an address that is none, of nobody',
      argv: ['host', 'list', '--url', 'notaurl'],
      env: {},
      code: 'usage',
      says: /notaurl \(--url\) is no address/,
    },
    {
      name: 'half of a key',
      argv: ['host', 'list'],
      env: { WHARF_URL: bootstrap.url, WHARF_ACCESS_KEY_ID: 'id' },
      code: 'usage',
      says: /WHARF_ACCESS_KEY_SECRET is missing/,
    },
    {
      name: 'a credential file with nothing in it',
      argv: ['host', 'list', '--credentials', nothing],
      code: 'failed',
      says: /^error: .*null\.json holds no JSON object\n.*\n$/,
    },
    { name: 'an unknown form', argv: ['host', 'list', '-o', 'xml'], code: 'usage', says: /Allowed choices/ },
    { name: 'a limit that is none', argv: ['host', 'list', '--limit', '0'], code: 'usage', says: /--limit/ },
    { name: 'an unknown profile', argv: ['host', 'list', '--profile', 'x'], code: 'usage', says: /no profile x/ },
    {
      name: 'a wrong secret',
      argv: ['host', 'list'],
      env: { ...env, WHARF_ACCESS_KEY_SECRET: 'wrong-secret' },
      code: 'notSignedIn',
      says: /ID\.1000/,
    },
    {
      name: 'no credential',
      argv: ['host', 'list'],
      env: { WHARF_URL: bootstrap.url },
      code: 'notSignedIn',
      says: /wharf login/,
    },
    { name: 'no server at all', argv: ['host', 'list'], env: {}, code: 'notSignedIn', says: /no server is known/ },
    { name: 'too slow', argv: [...upload('slow'), '--timeout', '1'], code: 'timeout', says: /SYS\.1001/ },
  ]
  for (const row of rows)
    await t.test(row.name, async () => {
      const { code, stderr } = await runCaptured(row.argv, { env: row.env ?? env })
      assert.equal(code, exitCodes[row.code], stderr)
      assert.match(stderr, row.says)
    })

  await t.test('cancelled by somebody else', async () => {
    const { stdout } = await runCaptured([...upload('cancelled'), '--async'], { env })
    const job = stdout.trim()
    const waiting = runCaptured(['job', 'wait', job], { env })
    assert.equal((await runCaptured(['job', 'cancel', job], { env })).code, 0)
    const { code, stderr } = await waiting
    assert.equal(code, exitCodes.cancelled, stderr)
    assert.match(stderr, new RegExp(`SYS\\.1017[\\s\\S]*job ${job}`))
  })

  const interrupted = async (argv: string[], presses = 1) => {
    const io = new CapturedIo({ env, home: freshHome(t) })
    const ended = run(argv, io)
    for (let tries = 0; tries < 500 && !io.isListening; tries++) await delay(10)
    await delay(300)
    for (let press = 0; press < presses; press++) io.interrupt()
    return { io, code: await ended }
  }
  const newestJob = async () =>
    JSON.parse((await runCaptured(['job', 'list', '--limit', '1', '--json'], { env })).stdout)[0]

  await t.test('Ctrl-C stops the waiting and leaves the job', async () => {
    const { io, code } = await interrupted(upload('left'))
    assert.equal(code, exitCodes.interrupted)
    const job = await newestJob()
    assert.equal(job.state, 'Running')
    assert.match(io.stderrText, new RegExp(`The job goes on: wharf job show ${job.uuid}`))
    await runCaptured(['job', 'cancel', job.uuid], { env })
  })

  await t.test('Ctrl-C cancels the job where that was asked for', async () => {
    const { io, code } = await interrupted([...upload('undone'), '--cancel-on-interrupt'])
    assert.equal(code, exitCodes.cancelled, io.stderrText)
    assert.match(io.stderrText, /Cancelling/)
    assert.equal((await newestJob()).state, 'Cancelled')
  })

  await t.test('the second Ctrl-C ends the command at once', async () => {
    const { io } = await interrupted([...upload('twice'), '--cancel-on-interrupt'], 2)
    assert.equal(io.exitedNow, exitCodes.interrupted)
  })
})

test('every exit code is explained', () => {
  assert.deepEqual(Object.keys(exitCodeMeanings), Object.keys(exitCodes))
})
