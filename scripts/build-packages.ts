// `npm run build:packages [-- name…]`: every folder of examples/packages becomes an archive in examples/packages/dist.
import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, globSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'
import { readManifest } from '@wharf/archives/manifest.ts'
import { StreamInspection } from '@wharf/archives/stream-inspection.ts'
import { tarEnd, tarHeaderOf, tarPadding } from '@wharf/archives/tar/tar-writer.ts'

const examples = fileURLToPath(new URL('../examples/packages', import.meta.url))
/** Fixed, so that two builds are equal byte for byte. */
const changed = new Date('2000-01-01T00:00:00Z')
const maxBuildMs = 20 * 60_000

/** Packs a package's folder, checks it like an upload, and returns the path of the archive. */
export async function buildPackage(folder: string, outFolder: string): Promise<string> {
  const { name, version } = readManifest(await readFile(join(folder, 'wharf.json')))
  const archive = join(outFolder, `${name}-${version}.tar.gz`)
  await mkdir(outFolder, { recursive: true })
  const built = await mkdtemp(join(tmpdir(), 'built-'))
  try {
    runBuildScript(folder, built)
    const { signal } = new AbortController()
    const inspection = new StreamInspection({ fileName: archive, availableBytes: Number.POSITIVE_INFINITY, signal })
    const tar = Readable.from(tarOf([folder, built]), { objectMode: false })
    await pipeline(tar, createGzip({ level: 9 }), inspection.stream, createWriteStream(`${archive}.new`))
    await rename(`${archive}.new`, archive)
  } finally {
    await rm(built, { recursive: true })
    await rm(`${archive}.new`, { force: true })
  }
  return archive
}

/** Runs the package's build.sh, which downloads files that the repository does not contain. */
function runBuildScript(folder: string, built: string): void {
  if (!existsSync(join(folder, 'build.sh'))) return
  const { status, signal, error } = spawnSync('sh', ['./build.sh', built], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: maxBuildMs,
  })
  if (error || status !== 0) throw new Error(`${folder}/build.sh ended with ${signal ?? status}`, { cause: error })
}

/** Entries by name. Of the file modes only the executable bit is taken from the disk. */
async function* tarOf(folders: readonly string[]): AsyncGenerator<Buffer> {
  const paths = new Map<string, string>()
  for (const folder of folders) {
    for await (const name of namesIn(folder)) {
      if (name === 'build.sh') continue
      if (paths.has(name) && !name.endsWith('/')) throw new Error(`${name} exists twice`)
      paths.set(name, join(folder, name))
    }
  }
  for (const [name, path] of [...paths].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    yield* entryOf(name, path)
  yield tarEnd
}

/** Folders end with a slash. Links are not followed, unlike in a recursive readdir. */
async function* namesIn(folder: string, below = ''): AsyncGenerator<string> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = `${below}${entry.name}${entry.isDirectory() ? '/' : ''}`
    yield name
    if (entry.isDirectory()) yield* namesIn(folder, name)
  }
}

async function* entryOf(name: string, path: string): AsyncGenerator<Buffer> {
  const stats = await lstat(path)
  const common = { changed, bytes: 0, target: '' }
  if (stats.isDirectory()) yield tarHeaderOf({ ...common, name, type: 'folder', mode: 0o755 })
  else if (stats.isSymbolicLink())
    yield tarHeaderOf({ ...common, name, type: 'symbolic link', mode: 0o777, target: await readlink(path) })
  else if (stats.isFile()) {
    const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755
    yield tarHeaderOf({ ...common, name, type: 'file', mode, bytes: stats.size })
    if (stats.size > 0) yield* createReadStream(path)
    yield tarPadding(stats.size)
  } else throw new Error(`${path} is neither a file nor a folder nor a link`)
}

if (import.meta.main) {
  const wanted = process.argv.slice(2)
  const found = globSync('*/wharf.json', { cwd: examples }).map(dirname).sort()
  const unknown = wanted.filter((name) => !found.includes(name))
  if (unknown.length > 0) throw new Error(`unknown package ${unknown.join(', ')}; the packages are ${found.join(', ')}`)
  for (const name of wanted.length > 0 ? wanted : found)
    console.log(await buildPackage(join(examples, name), join(examples, 'dist')))
}
