import { join } from 'node:path'
import { writeBundle } from '../server-bundle.ts'

/** The servers that tests start as programs: this halves the CPU time of a start, and a run has hundreds. */
export async function bundlePrograms(root: string): Promise<string> {
  const { folder } = await writeBundle({
    input: {
      server: join(root, 'packages/server/src/program/command-line.ts'),
      trial: join(root, 'packages/testkit/src/jobs/trial-job-server.ts'),
    },
    folder: join(root, 'node_modules/.cache/test-programs'),
  })
  return folder
}
