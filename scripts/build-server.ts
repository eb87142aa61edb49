// Writes the bundle of the server when a source has changed: before `npm start` and for the offline tarball.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentBundle, modificationOf } from '../packages/server/src/program/bundle.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'packages/server/dist')

export async function ensureServer(): Promise<void> {
  if (currentBundle() !== undefined) return
  console.error('Building the server…')
  // imported here, since loading it takes longer than the check above
  const { writeBundle } = await import('./server-bundle.ts')
  const { folder, modules } = await writeBundle({
    input: { server: join(root, 'packages/server/src/program/command-line.ts') },
    folder: join(dist, 'bundles'),
  })
  const sources = ['package-lock.json', ...modules.map((module) => relative(root, module))]
  const record = {
    entry: relative(root, join(folder, 'server.js')),
    sources: sources.map((file) => [file, modificationOf(file)]),
  }
  mkdirSync(dist, { recursive: true })
  const unfinished = join(dist, `bundle.json.${process.pid}`)
  writeFileSync(unfinished, JSON.stringify(record))
  renameSync(unfinished, join(dist, 'bundle.json'))
}
