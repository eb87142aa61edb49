import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { configCheck } from '@wharf/archives/config-check.ts'
import { StreamInspection } from '@wharf/archives/stream-inspection.ts'
import { buildPackage } from './build-packages.ts'

const hello = fileURLToPath(new URL('../examples/packages/hello', import.meta.url))

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packages-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function inspect(archive: string) {
  const { signal } = new AbortController()
  const inspection = new StreamInspection({ fileName: archive, availableBytes: 2 ** 30, signal })
  createReadStream(archive).pipe(inspection.stream).resume()
  return inspection.result()
}

test('hello builds to an installable package', async (t) => {
  const archive = await buildPackage(hello, await temporaryFolder(t))
  assert.match(archive, /\/hello-1\.0\.0\.tar\.gz$/)
  const { format, manifest, topFolder, entries } = await inspect(archive)
  assert.deepEqual(
    { format, name: manifest?.name, topFolder, entries },
    { format: 'tar.gz', name: 'hello', topFolder: undefined, entries: 6 },
  )
  assert.deepEqual(manifest?.install?.run, ['./install.sh'])
})

test('two builds are equal byte for byte, in any folder and at any time', async (t) => {
  const folder = await temporaryFolder(t)
  await cp(hello, join(folder, 'copy'), { recursive: true })
  for (const name of await readdir(hello)) await utimes(join(folder, 'copy', name), 1, 1)
  const [first, second] = await Promise.all([
    buildPackage(hello, join(folder, 'first')),
    buildPackage(join(folder, 'copy'), join(folder, 'second')),
  ])
  assert.ok((await readFile(first)).equals(await readFile(second)))
})

async function packageWith(t: TestContext, buildScript: string, manifest: object = {}): Promise<string> {
  const folder = join(await temporaryFolder(t), 'package')
  await mkdir(folder)
  await writeFile(join(folder, 'wharf.json'), JSON.stringify({ name: 'a', version: '1', type: 'demo', ...manifest }))
  await writeFile(join(folder, 'build.sh'), buildScript)
  return folder
}

test('packs the files that build.sh creates, but not build.sh', async (t) => {
  const folder = await packageWith(
    t,
    'mkdir "$1/debs"; printf %512s > "$1/debs/.x"; : > "$1/empty"; ln -s debs "$1/link"',
  )
  const archive = await buildPackage(folder, join(folder, '../dist'))
  const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })
  assert.deepEqual(listed.trim().split('\n'), ['debs/', 'debs/.x', 'empty', 'link', 'wharf.json'])
})

for (const [name, script, manifest, message] of [
  ['build.sh fails', 'exit 3', {}, /build\.sh ended with 3/],
  ['build.sh creates a file that already exists', 'echo > "$1/wharf.json"', {}, /exists twice/],
  ['an upload would be refused', 'ln -s /etc "$1/link"', {}, /leaves the archive/],
  ['the manifest is wrong', '', { instal: {} }, /"instal" is not known/],
] as const) {
  test(`nothing is built when ${name}`, async (t) => {
    const folder = await packageWith(t, script, manifest)
    await assert.rejects(buildPackage(folder, join(folder, '../dist')), message)
    assert.deepEqual(await readdir(join(folder, '../dist')).catch(() => []), [])
  })
}

/** Runs hooks as a host does: in the unpacked folder, with the input on standard input and a minimal environment. */
async function installedHello(t: TestContext) {
  const folder = await temporaryFolder(t)
  const unpacked = join(folder, 'unpacked')
  await mkdir(unpacked)
  execFileSync('tar', ['-xzf', await buildPackage(hello, folder), '-C', unpacked])
  const hook = (name: 'install' | 'verify' | 'uninstall', config?: object) =>
    spawnSync(`./${name}.sh`, {
      cwd: unpacked,
      input: JSON.stringify({ config }),
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    })
  return { folder, hook }
}

test('hello can be installed, verified and removed repeatedly', async (t) => {
  const { folder, hook } = await installedHello(t)
  const config = { greeting: "good day, $(id) 'é' 中 & /path:", path: join(folder, 'a/b') }
  for (let time = 0; time < 2; time += 1) {
    const { status, stdout } = hook('install', config)
    assert.equal(status, 0)
    assert.match(stdout, /^::progress 20 .*\n::progress 60 .*\n::result \{"file": ".*\/a\/b\/greeting"\}\n$/)
    assert.equal(hook('verify', config).status, 0)
  }
  assert.equal(await readFile(join(folder, 'a/b/greeting'), 'utf8'), `${config.greeting}\n`)
  for (let time = 0; time < 2; time += 1) assert.equal(hook('uninstall').status, 0)
  assert.deepEqual(await readdir(join(folder, 'a')), [])
  assert.notEqual(hook('verify', config).status, 0)
})

test('hello removes its files from the previous folder when the path changes, and keeps the files of others', async (t) => {
  const { folder, hook } = await installedHello(t)
  assert.equal(hook('install', { path: join(folder, 'a') }).status, 0)
  assert.equal(await readFile(join(folder, 'a/greeting'), 'utf8'), 'hello\n')
  await writeFile(join(folder, 'a/other'), '')
  assert.equal(hook('install', { path: join(folder, 'b') }).status, 0)
  assert.deepEqual(await readdir(join(folder, 'a')), ['other'])
  assert.deepEqual(await readdir(join(folder, 'b')), ['greeting'])
})

test('verify fails when the greeting differs from the configuration', async (t) => {
  const { folder, hook } = await installedHello(t)
  assert.equal(hook('install', { path: join(folder, 'a') }).status, 0)
  const { status, stderr } = hook('verify', { path: join(folder, 'a'), greeting: 'moin' })
  assert.equal(status, 1)
  assert.match(stderr, /has another text: hello/)
})

test('the schema of hello accepts only values that its scripts can read', async () => {
  const { config } = JSON.parse(await readFile(join(hello, 'wharf.json'), 'utf8')) as {
    config: Record<string, unknown>
  }
  const check = configCheck(config)
  for (const good of [{}, { greeting: 'moin', path: '/srv/hello.d/x' }, { hostUuid: 'x' }])
    assert.deepEqual(check(good), [])
  for (const greeting of ['', 'a"b', 'a\\b', 'a\nb', 'x'.repeat(101), 5]) assert.equal(check({ greeting }).length, 1)
  for (const path of ['', '/', 'a', '/a/', '/a//b', '/a/../b', '/a b', '/a"b', '/a\n'])
    assert.ok(check({ path }).length)
  assert.equal(check({ greting: 'x' }).length, 1)
})
