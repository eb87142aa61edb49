// Builds the web console when it is stale: before `npm start`, before the tests that open it, or by hand.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'packages/console/dist/.built')

/** The inputs of the build. */
const sources = [
  'package-lock.json',
  'packages/console/{index.html,vite.config.ts,package.json}',
  'packages/console/{src,public}/**/*.*',
  'packages/{sdk,contract}/src/**/*.ts',
  'docs/*.md',
  'packages/platform/src/{cidr,host-name}.ts',
]

export async function ensureConsole(): Promise<void> {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Building the console…')
  // imported here, since loading it takes longer than the check above
  const { build } = await import('vite')
  await build({ configFile: join(root, 'packages/console/vite.config.ts'), logLevel: 'warn' })
  writeFileSync(stamp, wanted)
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

if (import.meta.main) await ensureConsole()
