import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown'

/**
 * The servers that tests start as programs, each in a few files instead of more than a thousand modules: this
 * halves the CPU time of a start, and a run has hundreds. Modules still find the files beside their sources.
 */
export async function bundlePrograms(root: string): Promise<string> {
  const bundle = await rolldown({
    input: {
      server: join(root, 'packages/server/src/program/main.js'),
      trial: join(root, 'packages/testkit/src/jobs/trial-job-server.ts'),
    },
    platform: 'node',
    // loaded on demand
    external: [/^@aws-sdk\//, 'pg-native'],
    plugins: [inPlace],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return storeBundle(output, join(root, 'node_modules/.cache/test-programs'))
}

/** Bundles older than this are no longer in use. */
const longestRunMs = 24 * 3_600_000

/** Named by content: another run may have other sources, and the next run reuses Node's compile cache. */
function storeBundle(output: readonly (OutputChunk | OutputAsset)[], folder: string): string {
  const files = output.map((one) => [one.fileName, one.type === 'chunk' ? one.code : one.source] as const)
  const hash = createHash('sha256')
  for (const [name, content] of files) hash.update(name).update(content)
  const place = join(folder, hash.digest('hex').slice(0, 16))
  if (existsSync(place)) return place
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (Date.now() - statSync(join(folder, name)).mtimeMs > longestRunMs)
      rmSync(join(folder, name), { recursive: true })
  const unfinished = `${place}.${process.pid}`
  for (const [name, content] of files) {
    const path = join(unfinished, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  try {
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    if (!existsSync(place)) throw error
  }
  return place
}

const otherPlaces = /\bimport\.meta\.(dirname|filename|resolve)\b/

const inPlace: Plugin = {
  name: 'in-place',
  transform: (code, id) => {
    if (otherPlaces.test(code) && !id.includes('node_modules'))
      throw new Error(`${id}: only import.meta.url is replaced`)
    if (!code.includes('import.meta.url')) return null
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}
