import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { installable, PackageFixture, reverseCleanup } from '@wharf/testkit'
import { run } from '../run.ts'
import { CapturedIo, type CommandResult, environmentOf, runCaptured } from '../testing/captured-io.ts'

const cleanup = reverseCleanup({ after })
const names = ['web-1', 'web-2', 'web-3']
let fixture: PackageFixture
let env: Record<string, string>

const wharf = (...argv: string[]): Promise<CommandResult> => runCaptured(argv, { env })
const succeed = async (...argv: string[]): Promise<CommandResult> => {
  const result = await wharf(...argv)
  assert.equal(result.code, 0, `${argv.join(' ')}: ${result.stdout}${result.stderr}`)
  return result
}
const folderOf = (host: string): string => join(fixture.folder, 'hosts', host)
const installed = (): (string | undefined)[] =>
  names.map((host) => {
    const path = join(folderOf(host), 'installed')
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  })

/** Hooks work in the folder of their host, and fail while it has a file that is named `broken-` and their version. */
async function publish(version: string): Promise<void> {
  const start = 'home=$(dirname "$(dirname "$WHARF_PACKAGE_DIR")"); input=$(cat)'
  const hooks = {
    install: `${start}; test ! -e "$home/broken-${version}"; printf '%s %s' '${version}' "$input" >"$home/installed"`,
    uninstall: `${start}; rm -f "$home/installed"`,
  }
  const path = join(fixture.folder, `hello-${version}.tar`)
  writeFileSync(path, installable({ name: 'hello', version, hooks }))
  await succeed('release', 'publish', path)
}

before(async () => {
  fixture = await PackageFixture.start(cleanup, { rolloutLimits: { pollMs: 50, gatherMs: 1 } })
  env = { ...environmentOf(fixture.server.bootstrap), NO_COLOR: '1', LANG: 'C.UTF-8' }
  mkdirSync(join(fixture.folder, 'storage'))
  await succeed('storage', 'add', 'archive', `file://${join(fixture.folder, 'storage')}`)
  for (const name of names) {
    mkdirSync(folderOf(name), { recursive: true })
    const here = ['--driver', 'local', '--address', '127.0.0.1', '--packages-path', join(folderOf(name), 'packages')]
    await succeed('host', 'add', name, ...here, '--label', 'role=web')
  }
  await publish('1.0.0')
  await publish('1.1.0')
})

const toWeb = (name: string, version: string): string[] => [
  ...['rollout', 'create', name, '--release', `hello@${version}`, '--hosts', 'labels.role=web'],
  ...['--waves', '1,100%', '--soak', '0', '--max-parallel', '1'],
]

test('a release reaches hosts in waves; a failure pauses, retry continues, undo restores', async (t) => {
  await t.test('--wait prints a line per change', async () => {
    const config = ['--config', '{"at": "{{ host.name }}"}']
    const { stdout } = await succeed(...toWeb('first', '1.0.0'), ...config, '--wait')
    const lines = stdout
      .split('\n')
      .filter((line) => !/^(Waiting|Transferring|Installing|Verifying|Running)/.test(line))
    assert.deepEqual(lines, [
      'Succeeded          web-1 in wave 1',
      'Succeeded          wave 1 of 2: 1 of 1 hosts',
      'Succeeded          web-2 in wave 2',
      'Succeeded          web-3 in wave 2',
      'Succeeded          wave 2 of 2: 2 of 2 hosts',
      'Succeeded          rollout first',
      '',
    ])
    assert.deepEqual(
      installed(),
      names.map((name) => `1.0.0 {"config":{"at":"${name}"}}`),
    )
  })

  await t.test('--dry-run prints the plan and creates nothing', async () => {
    const { stdout, stderr } = await succeed(...toWeb('second', '1.1.0'), '--dry-run')
    assert.match(
      stdout,
      /^HOST +WAVE +ACTION +FROM +TO +BYTES +OBSTACLE\nweb-1 +1 +Upgrade +1\.0\.0 +1\.1\.0 +\S+ KiB +-\n/,
    )
    assert.match(stderr, /^3 hosts in 2 waves: 3 Upgrade; \S+ KiB to send\.\n$/)
    const entries = JSON.parse((await succeed(...toWeb('second', '1.1.0'), '--dry-run', '--json')).stdout)
    assert.deepEqual([entries.length, entries[0].hostName, entries[0].fromVersion], [3, 'web-1', '1.0.0'])
    assert.match((await wharf('rollout', 'show', 'second')).stderr, /no rollout named second/)
  })

  await t.test('a failure in the second wave pauses, and the exit code is 1', async () => {
    writeFileSync(join(folderOf('web-2'), 'broken-1.1.0'), '')
    const { code, stdout, stderr } = await wharf(...toWeb('second', '1.1.0'), '--wait', '--exit-on-pause')
    assert.equal(code, 1)
    assert.match(stdout, /^Failed {13}web-2 in wave 2: SoftwarePackage\.\d+ /m)
    assert.match(stdout, /^Paused {13}rollout second for Failures: /m)
    assert.match(stderr, /rollout second is Paused for Failures: .*\n.*wharf rollout retry\|resume\|undo second/)
    assert.match((await succeed('rollout', 'show', 'second')).stdout, /^failures +web-2 Failed: /m)
    assert.match((await succeed('rollout', 'targets', 'second', '--failed')).stdout, /^HOST.*\nweb-2 +2 +Failed .*\n$/)
    assert.match((await succeed('rollout', 'list')).stdout, /^second +hello@1\.1\.0 +Paused +Failures +1\/3 +1 /m)
  })

  await t.test('a terminal is redrawn until the end', async () => {
    const io = new CapturedIo({ env, columns: 80 })
    const ended = run(['rollout', 'watch', 'second'], io)
    for (const end = performance.now() + 10_000; !/Paused for Failures/.test(io.stdoutText); await delay(20))
      if (performance.now() > end) throw new Error(io.stdoutText + io.stderrText)
    rmSync(join(folderOf('web-2'), 'broken-1.1.0'))
    const { stderr } = await succeed('rollout', 'retry', 'second')
    assert.match(stderr, /^second is Running\.\n/)
    assert.equal(await ended, 0, io.stderrText)
    const last = stripVTControlCharacters(io.stdoutText.slice(io.stdoutText.lastIndexOf('\u001b[J')))
    assert.match(
      last,
      /^second {2}hello@1\.1\.0 {2}Succeeded {2}3\/3 hosts {2}\d+:\d\d\n\n✓ wave 1 {2}█+ {2}1\/1 {2}Succ/,
    )
    assert.match(last, /\n✓ wave 2 {2}█+ {2}2\/2 {2}Succeeded\n$/)
    assert.deepEqual(installed(), Array(3).fill('1.1.0 {"config":{}}'))
  })

  await t.test('undo restores versions and configurations', async () => {
    const { stdout } = await succeed('rollout', 'undo', 'second', '--wait')
    assert.match(stdout, /^RolledBack {9}web-3 in wave 2$/m)
    assert.match(stdout, /^RolledBack {9}rollout second: admin rolled it back\n$/m)
    assert.deepEqual(
      installed(),
      names.map((name) => `1.0.0 {"config":{"at":"${name}"}}`),
    )
    assert.match(stdout, /^RolledBack {9}wave 2 of 2: 2 of 2 hosts restored$/m)
    assert.match((await succeed('rollout', 'show', 'second')).stdout, /2: RolledBack, 2 of 2 hosts restored$/m)
    const { code, stderr } = await wharf('rollout', 'watch', 'second')
    assert.equal(code, 1)
    assert.match(stderr, /rollout second is RolledBack/)
    const ofPackage = async (...argv: string[]): Promise<string> => {
      const result = await wharf('package', ...argv)
      return result.stdout + result.stderr
    }
    assert.match(await ofPackage('verify', 'hello'), /name its host with --host, or use the uuid/)
    const elsewhere = await ofPackage('rollback', 'hello', '--host', 'this-node')
    assert.match(elsewhere, /host this-node has no installed package hello\n.*nothing is installed there/)
    const same = await ofPackage('upgrade', 'hello', '--to', 'hello@1.0.0', '--host', 'web-1')
    assert.match(same, /hello has 1\.0\.0 already; nothing was changed/)
    await succeed('rollout', 'delete', 'second')
  })
})

test('Ctrl-C stops watching only; promotion, timeout and stop', async () => {
  const { stdout: uuid } = await succeed(...toWeb('third', '1.1.0'), '--promotion', 'manual')
  const io = new CapturedIo({ env })
  const ended = run(['rollout', 'watch', uuid.trim(), '-o', 'ndjson'], io)
  for (const end = performance.now() + 10_000; !/"pauseReason":"Promotion"/.test(io.stdoutText); await delay(20))
    if (performance.now() > end) throw new Error(io.stdoutText + io.stderrText)
  io.interrupt()
  assert.equal(await ended, 130)
  assert.match(io.stderrText, /Stopped watching; the rollout continues: wharf rollout watch [0-9a-f]{32}/)
  const timedOut = await wharf('rollout', 'watch', 'third', '--timeout', '1')
  assert.equal(timedOut.code, 5)
  assert.match(timedOut.stderr, /rollout third has not ended after 1 s/)
  assert.match((await wharf('rollout', 'resume', 'third')).stderr, /promote/)
  assert.match((await succeed('rollout', 'promote', 'third')).stderr, /^third is Running/)
  await succeed('rollout', 'watch', 'third')
  await succeed('rollout', 'undo', 'third', '--wait')
})

test('maintenance windows hold rollouts', async () => {
  const month = ((new Date().getUTCMonth() + 6) % 12) + 1
  const cron = `0 0 1 ${month} *`
  await succeed('window', 'create', 'far', '--cron', cron, '--duration', '60', '--time-zone', 'Asia/Tokyo')
  assert.match((await succeed('window', 'list')).stdout, /^far +0 0 1 \d+ \* +60 +Asia\/Tokyo +0 +-/m)
  assert.match((await succeed('window', 'show', 'far')).stdout, /^nextOpenDate +\S+/m)
  await succeed(...toWeb('fourth', '1.1.0'), '--window', 'far')
  const held = await wharf('rollout', 'watch', 'fourth', '--timeout', '2')
  assert.match(held.stdout, /rollout fourth for Window until /)
  assert.match((await wharf('window', 'delete', 'far')).stderr, /fourth/)
  assert.match((await succeed('rollout', 'show', 'fourth')).stdout, /^window +far$/m)
  await succeed('rollout', 'stop', 'fourth', '--cancel', '--wait')
  const changed = await succeed('window', 'update', 'far', '--duration', '30', '--json')
  assert.equal(JSON.parse(changed.stdout).durationMinutes, 30)
  await succeed('window', 'delete', 'far')
})

test('contradicting options are refused', async () => {
  for (const [more, message] of [
    [['--host', 'web-1'], /either with --hosts or with --host/],
    [['--waves', '1,half'], /invalid --waves half/],
    [['--timeout', '5'], /--timeout needs --wait/],
    [['--wait', '--dry-run'], /either --dry-run or --wait/],
    [['--config', '[]'], /--config must be a JSON object/],
  ] as const) {
    const { code, stderr } = await wharf(...toWeb('wrong', '1.1.0'), ...more)
    assert.equal(code, 2)
    assert.match(stderr, message)
  }
})
