// Writes the bundles of the server and the command when a source has changed: before `npm start` and for the offline tarball.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentBundle, modificationOf } from '../packages/platform/src/bundle.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** By their packages. */
const programs = {
  server: { name: 'server', input: 'packages/server/src/program/command-line.ts', record: 'recordServerStart' },
  cli: { name: 'wharf', input: 'packages/cli/src/start.ts', record: 'recordHostList' },
} as const

export async function ensurePrograms(): Promise<void> {
  for (const folder of ['server', 'cli'] as const) if (currentBundle(folder) === undefined) await build(folder)
}

async function build(folder: keyof typeof programs): Promise<void> {
  const { name, input, record } = programs[folder]
  console.error(`Building ${name}…`)
  // imported here, since loading it takes longer than the check above
  const [{ writeBundle }, runs] = await Promise.all([import('./write-bundle.ts'), import('./record-runs.ts')])
  const dist = join(root, 'packages', folder, 'dist')
  const startedAt = Date.now()
  const bundle = await writeBundle({
    input: { [name]: join(root, input) },
    folder: join(dist, 'bundles'),
    complete: runs[record],
  })
  const sources = ['package-lock.json', ...bundle.modules.map((module) => relative(root, module))]
  const built = {
    entry: relative(root, join(bundle.folder, `${name}.js`)),
    // one that was saved meanwhile may be newer than the bundle, so its date matches no file
    sources: sources.map((file) => [file, dateBefore(startedAt, modificationOf(file))]),
  }
  mkdirSync(dist, { recursive: true })
  const unfinished = join(dist, `bundle.json.${process.pid}`)
  writeFileSync(unfinished, JSON.stringify(built))
  renameSync(unfinished, join(dist, 'bundle.json'))
}

function dateBefore(startedAt: number, date = 0): number {
  return date < startedAt ? date : 0
}
