import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { writeBundle } from '../write-bundle.ts'

/**
 * The programs that tests start: this halves the CPU time of a start, and a run has hundreds. `compileCache` is the folder of Node's
 * compile cache in the run.
 */
export async function bundlePrograms(root: string, compileCache: string): Promise<string> {
  const { folder, isNew } = await writeBundle({
    input: {
      server: join(root, 'packages/server/src/program/command-line.ts'),
      wharf: join(root, 'packages/cli/src/start.ts'),
      trial: join(root, 'packages/testkit/src/jobs/trial-job-server.ts'),
      uploads: join(root, 'packages/testkit/src/server/upload-program.ts'),
    },
    folder: join(root, 'node_modules/.cache/test-programs'),
    plugins: [cheapPasswords()],
  })
  if (isNew) await fillCompileCache(join(folder, 'server.js'), compileCache)
  return folder
}

/** Only a process that exits normally writes to the cache: without this, each of the servers that tests kill would compile its files. */
async function fillCompileCache(program: string, compileCache: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'wharf-programs-'))
  const { PATH, HOME } = process.env
  const settings = { WHARF_DATA: data, WHARF_PORT: '0', WHARF_DISCOVERY: 'none' }
  const server = spawn(process.execPath, [program], {
    env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
  })
  try {
    const exited = once(server, 'exit')
    // its banner, or the end of one that does not start: the tests report why
    await Promise.race([once(server.stdout, 'data'), exited])
    server.kill()
    await exited
  } finally {
    rmSync(data, { recursive: true })
  }
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
