import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { link, mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { StreamInspection } from './stream-inspection.ts'

const formats = ['v7', 'ustar', 'oldgnu', 'gnu', 'pax'] as const
const hasZstd = spawnSync('zstd', ['--version']).status === 0
const compressions = [
  { option: [], fileName: 'a.tar', format: 'tar' },
  { option: ['--gzip'], fileName: 'a.tgz', format: 'tar.gz' },
  ...(hasZstd ? [{ option: ['--zstd'], fileName: 'a.tar.zst', format: 'tar.zst' }] : []),
] as const

const part = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcAB é中\n\\:*-.~$'), minLength: 1, maxLength: 20 }),
  fc.string({ unit: fc.constant('a'), minLength: 90, maxLength: 120 }),
  fc.constantFrom('wharf', 'x', 'y', '..a', 'a..', '．．'),
)
const name = fc
  .array(
    part.filter((text) => text !== '.' && text !== '..'),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join('/'))
const kind = fc.constantFrom('file', 'file', 'folder', 'symlink', 'hard link')
const tree = fc.array(fc.record({ name, kind, bytes: fc.nat(5000) }), { minLength: 1, maxLength: 25 }).map((entries) =>
  // a link whose name, cut by an older program, would be another entry's is refused: no two have such a long common prefix
  entries.map(({ name, ...rest }, index) => ({
    ...rest,
    name: name.replaceAll(/a{90,}/g, (long) => `${index}${long}`),
  })),
)

/** Creates the possible entries; skips names that collide or traverse a dangling link. */
async function makeTree(
  folder: string,
  entries: readonly { name: string; kind: string; bytes: number }[],
): Promise<void> {
  const files: string[] = []
  for (const { name, kind, bytes } of entries) {
    const path = join(folder, name)
    try {
      await mkdir(dirname(path), { recursive: true })
      if (kind === 'folder') await mkdir(path)
      else if (kind === 'symlink') await symlink(files.at(-1)?.split('/').at(-1) ?? 'nowhere', path)
      else if (kind === 'hard link' && files[0] !== undefined) await link(files[0], path)
      else {
        await writeFile(path, Buffer.alloc(bytes, 'x'), { flag: 'wx' })
        files.push(path)
      }
    } catch (error) {
      if (
        !['EEXIST', 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')
      )
        throw error
    }
  }
}

async function inspect(file: string, fileName: string) {
  const inspection = new StreamInspection({ fileName, availableBytes: 2 ** 40, signal: new AbortController().signal })
  await pipeline(
    createReadStream(file),
    inspection.stream,
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  )
  return inspection.result()
}

/** The listing of GNU tar. */
function listed(file: string): { entries: number; unpackedBytes: number } {
  const lines = execFileSync('tar', ['--list', '--verbose', '--quoting-style=escape', '--file', file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter(Boolean)
  const sizes = lines.map((line) => Number(/^-\S+ \S+ +(\d+) /.exec(line)?.[1] ?? 0))
  return { entries: lines.length, unpackedBytes: sizes.reduce((sum, size) => sum + size, 0) }
}

test('accepts every archive of GNU tar, with the same number of entries', { timeout: 600_000 }, async () => {
  const sample = fc.record({ tree, format: fc.constantFrom(...formats), compression: fc.constantFrom(...compressions) })
  await fc.assert(
    fc.asyncProperty(sample, async ({ tree, format, compression }) => {
      const base = await mkdtemp(join(tmpdir(), 'gnu-tar-'))
      try {
        const archive = join(base, 'archive')
        await mkdir(join(base, 'tree'))
        await makeTree(join(base, 'tree'), tree)
        const pack = (as: string) =>
          spawnSync('tar', [
            '-c',
            `--format=${as}`,
            ...compression.option,
            '-f',
            archive,
            '-C',
            join(base, 'tree'),
            '.',
          ])
        // older formats cannot store some names; tar then writes an invalid archive, and reports it
        if (pack(format).status !== 0) assert.equal(pack('gnu').status, 0)
        const { entries, unpackedBytes, format: found } = await inspect(archive, compression.fileName)
        assert.deepEqual({ entries, unpackedBytes }, listed(archive))
        assert.equal(found, compression.format)
      } finally {
        await rm(base, { recursive: true })
      }
    }),
    { numRuns: 60 },
  )
})

for (const options of [
  ['--format=gnu'],
  ['--format=oldgnu'],
  ['--format=pax', '--sparse-version=0.0'],
  ['--format=pax', '--sparse-version=0.1'],
  ['--format=pax', '--sparse-version=1.0'],
]) {
  test(`sparse files of ${options.join(' ')} are accepted, holes not counted`, async (t) => {
    const base = await mkdtemp(join(tmpdir(), 'gnu-tar-'))
    t.after(() => rm(base, { recursive: true }))
    for (const sections of [0, 1, 3, 30, 100]) {
      const disk = await open(join(base, `disk-${sections}`), 'w')
      for (let section = 0; section < sections; section += 1)
        await disk.write(Buffer.alloc(4096, 'x'), 0, 4096, section * 65_536)
      await disk.truncate(64 * 1024 * 1024)
      await disk.close()
    }
    const archive = join(base, 'archive')
    execFileSync('tar', ['--create', '--sparse', ...options, '--file', archive, '--exclude=archive', '-C', base, '.'])
    const { entries, unpackedBytes } = await inspect(archive, 'a.tar')
    assert.equal(entries, 6)
    // the granularity of holes depends on the file system
    assert.ok(unpackedBytes >= 134 * 4096 && unpackedBytes <= 134 * 65_536, String(unpackedBytes))
  })
}
