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
import { ArchiveInspection } from '@wharf/archives/inspection.ts'
import { readManifest } from '@wharf/archives/manifest.ts'
import { tarEnd, tarHeaderOf, tarPadding } from '@wharf/archives/tar/tar-writer.ts'

const examples = fileURLToPath(new URL('../examples/packages', import.meta.url))
/** The same for every file and every day: what is built twice is equal. */
const changed = new Date('2000-01-01T00:00:00Z')
const maxBuildMs = 20 * 60_000

/** Packs a package's folder, checked on the way as an upload is. Says where the archive is. */
export async function buildPackage(folder: string, outFolder: string): Promise<string> {
  const { name, version } = readManifest(await readFile(join(folder, 'wharf.json')))
  const archive = join(outFolder, `${name}-${version}.tar.gz`)
  await mkdir(outFolder, { recursive: true })
  const carried = await mkdtemp(join(tmpdir(), 'carried-'))
  try {
    fetchCarried(folder, carried)
    const { signal } = new AbortController()
    const inspection = new ArchiveInspection({ fileName: archive, availableBytes: Number.POSITIVE_INFINITY, signal })
    const tar = Readable.from(tarOf([folder, carried]), { objectMode: false })
    await pipeline(tar, createGzip({ level: 9 }), inspection.stream, createWriteStream(`${archive}.new`))
    await rename(`${archive}.new`, archive)
  } finally {
    await rm(carried, { recursive: true })
    await rm(`${archive}.new`, { force: true })
  }
  return archive
}

/** The package's own step, for what it brings along from elsewhere. */
function fetchCarried(folder: string, carried: string): void {
  if (!existsSync(join(folder, 'build.sh'))) return
  const { status, signal, error } = spawnSync('sh', ['./build.sh', carried], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: maxBuildMs,
  })
  if (error || status !== 0) throw new Error(`${folder}/build.sh ended with ${signal ?? status}`, { cause: error })
}

/** Of all that is in the folders, by name. Only whether a file is executable is taken from the disk besides its bytes. */
async function* tarOf(folders: readonly string[]): AsyncGenerator<Buffer> {
  const paths = new Map<string, string>()
  for (const folder of folders) {
    for await (const name of namesIn(folder)) {
      if (name === 'build.sh') continue
      if (paths.has(name) && !name.endsWith('/')) throw new Error(`${name} is there twice`)
      paths.set(name, join(folder, name))
    }
  }
  for (const [name, path] of [...paths].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    yield* entryOf(name, path)
  yield tarEnd
}

/** Folders end with a slash. Links are not followed, as they are when readdir does all this by itself. */
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
  if (unknown.length > 0) throw new Error(`there is no package ${unknown.join(', ')}; there are ${found.join(', ')}`)
  for (const name of wanted.length > 0 ? wanted : found)
    console.log(await buildPackage(join(examples, name), join(examples, 'dist')))
}
