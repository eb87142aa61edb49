import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown'

/**
 * The servers that tests start as programs, each in a few files instead of more than a thousand modules: a start takes half
 * of the processor's time, and a run has hundreds. Whatever a module looks for beside itself it still finds there.
 */
export async function bundlePrograms(root: string): Promise<string> {
  const bundle = await rolldown({
    input: {
      server: join(root, 'packages/server/src/program/main.js'),
      trial: join(root, 'packages/testkit/src/jobs/trial-job-server.ts'),
    },
    platform: 'node',
    // loaded only when they are needed, or never
    external: [/^@aws-sdk\//, 'pg-native'],
    plugins: [inPlace],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return kept(output, join(root, 'node_modules/.cache/test-programs'))
}

/** Nobody runs them any more that long after they were made. */
const longestRunMs = 24 * 3_600_000

/** By what is in it: a run beside this one may have other sources, and what Node has compiled of these serves the next. */
function kept(output: readonly (OutputChunk | OutputAsset)[], folder: string): string {
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
