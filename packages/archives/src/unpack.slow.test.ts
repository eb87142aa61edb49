import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { honestArchives, hostileCompressed, hostileTars } from '@wharf/testkit/packages/archives.ts'
import { sampled } from '@wharf/testkit/sampled.ts'
import { ListingReader } from './listing-reader.ts'
import { type UnpackedFormat, unpackArgv } from './unpack.ts'
import { listScript } from './unpack-check.ts'

const listArgv = (folder: string) => ['sh', '-c', listScript, 'wharf-list', folder] as const

function verifyListing(text: string): void {
  const reader = new ListingReader()
  for (const line of text.split('\n')) reader.line(line)
  reader.end()
}

/** A target folder, a folder beside it and one above it, which must not change. */
async function place(t: TestContext) {
  const base = await mkdtemp(join(tmpdir(), 'unpack-'))
  t.after(() => rm(base, { recursive: true, force: true }))
  const [outside, work] = [join(base, 'outside'), join(base, 'work')]
  await mkdir(outside)
  await mkdir(work)
  await writeFile(join(outside, 'secret'), 'secret')
  await chmod(join(outside, 'secret'), 0o4711)
  return { base, outside, archive: join(work, 'archive'), folder: join(work, 'unpacked') }
}

interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

function run([program, ...words]: readonly [string, ...string[]], path: string): Promise<Ran> {
  const options = { env: { PATH: path }, timeout: 60_000, maxBuffer: 1 << 26 }
  return new Promise((resolve) => {
    execFile(program, words, options, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), stdout, stderr })
    })
  })
}

function formatOf(bytes: Buffer): UnpackedFormat {
  if (bytes[0] === 0x1f) return 'tar.gz'
  return bytes[0] === 0x28 || bytes[0] === 0x50 ? 'tar.zst' : 'tar'
}

const systemPath = process.env.PATH ?? ''

/** As on Alpine; once for all tests, because it is hundreds of links. */
const installedBusybox = installBusybox()

async function installBusybox(): Promise<string | undefined> {
  const { exitCode, stdout } = await run(['sh', '-c', 'command -v busybox'], systemPath)
  if (exitCode !== 0) return undefined
  const bin = await mkdtemp(join(tmpdir(), 'busybox-'))
  after(() => rm(bin, { recursive: true }))
  await run([stdout.trim(), '--install', '-s', bin], systemPath)
  return bin
}

async function assertNothingOutside({ base, outside }: { base: string; outside: string }): Promise<void> {
  assert.deepEqual(await readdir(base), ['outside', 'work'])
  assert.deepEqual(await readdir(outside), ['secret'])
  assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'secret')
  assert.equal((await lstat(join(outside, 'secret'))).mode & 0o7777, 0o4711)
}

for (const kind of ['the tar of this machine', 'busybox'] as const) {
  test(`${kind} writes nothing outside with archives that the inspection refuses`, { timeout: 300_000 }, async (t) => {
    const path = kind === 'busybox' ? await installedBusybox : systemPath
    if (path === undefined) return t.skip('busybox is not installed')
    for (const row of sampled([...hostileTars, ...hostileCompressed], 6)) {
      await t.test(row.name, async (t) => {
        const here = await place(t)
        const bytes = row.build(here.outside)
        await writeFile(here.archive, bytes)
        await run(unpackArgv(formatOf(bytes), here.archive, here.folder), path)
        await assertNothingOutside(here)
        assert.deepEqual((await readdir(join(here.base, 'work'))).sort(), ['archive', 'unpacked'])
        // also when tar has failed
        const { stdout } = await run(listArgv(here.folder), path)
        await assertNothingOutside(here)
        await assertSafeOrRefused(here, stdout)
      })
    }
  })
}

/** When the check after unpacking accepts the folder, no link leads outside. */
async function assertSafeOrRefused(
  { folder, outside }: Awaited<ReturnType<typeof place>>,
  listing: string,
): Promise<void> {
  try {
    verifyListing(listing)
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'SoftwarePackage.1132', String(error))
    return
  }
  assert.equal((await lstat(join(outside, 'secret'))).nlink, 1)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    assert.ok(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink(), entry.name)
    if (entry.isSymbolicLink()) assert.ok(!(await readlink(join(entry.parentPath, entry.name))).startsWith('/'))
  }
}

for (const { name, build, format = 'tar' } of sampled(honestArchives, 2)) {
  if (format === 'zip' || format === 'file') continue
  test(`the tar of this machine unpacks ${name}, and the check accepts it`, async (t) => {
    const here = await place(t)
    await writeFile(here.archive, build())
    const { exitCode, stdout, stderr } = await run(unpackArgv(format, here.archive, here.folder), systemPath)
    assert.equal(exitCode, 0, stderr)
    verifyListing(stdout)
    for (const entry of await readdir(here.folder, { recursive: true, withFileTypes: true })) {
      const { mode } = await lstat(join(entry.parentPath, entry.name))
      if (!entry.isSymbolicLink()) assert.equal(mode & 0o7000, 0, entry.name)
    }
  })
}

test('does not unpack into an existing folder', async (t) => {
  const here = await place(t)
  await writeFile(here.archive, Buffer.alloc(1024))
  await mkdir(here.folder)
  const { exitCode, stderr } = await run(unpackArgv('tar', here.archive, here.folder), systemPath)
  assert.notEqual(exitCode, 0)
  assert.match(stderr, /exists/)
})

/** Possible results of a tar, and the error of the check. */
const leftBehind: [
  name: string,
  make: (folder: string, outside: string) => Promise<unknown>,
  error: RegExp | undefined,
][] = [
  ['nothing', async () => {}, undefined],
  ['names with newlines', (folder) => writeFile(join(folder, 'a\n=end\n'), ''), undefined],
  ['a link whose target looks like a heading', (folder) => symlink('=end', join(folder, 'l')), undefined],
  ['a link whose target is a newline', (folder) => symlink('\n', join(folder, 'l')), undefined],
  ['a link out', (folder, outside) => symlink(outside, join(folder, 'l')), /leaves/],
  ['a link above', (folder) => symlink('../archive', join(folder, 'l')), /leaves/],
  ['a link that leaves through another', (folder) => linkPair(folder), /link/],
  [
    'a hard link to a file outside',
    (folder, outside) => link(join(outside, 'secret'), join(folder, 'h')),
    /hard link|setuid/,
  ],
  ['a FIFO', (folder) => run(['mkfifo', join(folder, 'f')], systemPath), /neither/],
  ['a folder without rights', (folder) => mkdir(join(folder, 'd'), 0), undefined],
  [
    'a file with all bits',
    (folder) => writeFile(join(folder, 's'), '').then(() => chmod(join(folder, 's'), 0o7777)),
    undefined,
  ],
]

async function linkPair(folder: string): Promise<void> {
  await mkdir(join(folder, 'a/b'), { recursive: true })
  await symlink('../..', join(folder, 'a/b/s'))
  await symlink('a/b/s/../x', join(folder, 't'))
}

for (const [name, make, error] of leftBehind) {
  test(`the check after unpacking ${error === undefined ? 'accepts' : 'refuses'} ${name}`, async (t) => {
    const here = await place(t)
    await mkdir(here.folder)
    await make(here.folder, here.outside)
    for (const path of [systemPath, await installedBusybox]) {
      if (path === undefined) continue
      const { stdout, stderr } = await run(listArgv(here.folder), path)
      assert.equal(stderr, '')
      if (error === undefined) verifyListing(stdout)
      else assert.throws(() => verifyListing(stdout), { code: 'SoftwarePackage.1132', message: error })
    }
  })
}

test('refuses a truncated listing', async (t) => {
  const here = await place(t)
  await mkdir(join(here.folder, 'a/b/c'), { recursive: true })
  await writeFile(join(here.folder, 'a/x'), '')
  const { stdout } = await run(listArgv(here.folder), systemPath)
  const bytes = Buffer.from(stdout, 'base64')
  for (let length = 0; length < bytes.length; length += 1) {
    const cut = bytes.subarray(0, length).toString('base64')
    assert.throws(() => verifyListing(cut), { code: 'SoftwarePackage.1300' }, `${length} bytes`)
  }
})
