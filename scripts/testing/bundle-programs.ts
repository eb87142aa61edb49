import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { recordServerStart } from '../record-runs.ts'
import { writeBundle } from '../write-bundle.ts'

/** The programs that tests start: this halves the CPU time of a start, and a run has hundreds. */
export async function bundlePrograms(root: string): Promise<string> {
  const { folder } = await writeBundle({
    input: {
      server: join(root, 'packages/server/src/program/command-line.ts'),
      wharf: join(root, 'packages/cli/src/start.ts'),
      trial: join(root, 'packages/testkit/src/jobs/trial-job-server.ts'),
      uploads: join(root, 'packages/testkit/src/server/upload-program.ts'),
    },
    folder: join(root, 'node_modules/.cache/test-programs'),
    plugins: [cheapPasswords()],
    complete: recordServerStart,
  })
  return folder
}

const defaultCost = '{ N: 2 ** 15, r: 8, p: 3 }'

/** Every start compares the password of bootstrap.json with its hash, which takes as long as a third of the start. */
function cheapPasswords(): Plugin {
  let isReplaced = false
  return {
    name: 'cheap-passwords',
    transform: (code) => {
      if (!code.includes(defaultCost)) return null
      isReplaced = true
      return code.replace(defaultCost, '{ N: 2, r: 1, p: 1 }')
    },
    buildEnd: () => {
      if (!isReplaced) throw new Error(`no module of the server contains ${defaultCost}, the cost of passwords`)
    },
  }
}
