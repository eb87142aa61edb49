import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

/**
 * The servers that tests start as programs, each in a few files instead of more than a thousand modules: it starts in
 * half of the time, and a run starts hundreds. Whatever a module looks for beside itself it still finds there.
 */
export async function bundlePrograms(root: string): Promise<string> {
  const bundle = await rolldown({
    input: {
      server: join(root, 'packages/server/src/main.js'),
      trial: join(root, 'packages/testkit/src/jobs/trial-job-server.ts'),
    },
    platform: 'node',
    // loaded only when they are needed, or never
    external: [/^@aws-sdk\//, 'pg-native'],
    plugins: [inPlace],
    logLevel: 'silent',
  })
  const dir = join(root, 'node_modules/.cache/test-programs')
  await bundle.write({ dir, format: 'esm' })
  await bundle.close()
  return dir
}

const inPlace: Plugin = {
  name: 'in-place',
  transform: (code, id) =>
    code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : null,
}
