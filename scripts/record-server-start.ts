import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const codeCache = fileURLToPath(new URL('../packages/platform/src/code-cache.cjs', import.meta.url))

/** Starts and stops the server of this bundle, so that later starts find in its folder what V8 compiles for one. */
export async function recordServerStart(bundle: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'wharf-start-'))
  const { PATH, HOME } = process.env
  const settings = { WHARF_DATA: data, WHARF_PORT: '0', WHARF_DISCOVERY: 'none' }
  const load = `require(${JSON.stringify(codeCache)}).recordCodeCache(); require(${JSON.stringify(join(bundle, 'server.cjs'))})`
  // it ends with the build, also when that is killed
  const program = `process.stdin.resume().once('end', () => process.exit(1)).unref(); ${load}`
  const server = spawn(process.execPath, ['--eval', program], {
    env: { PATH, HOME, ...settings },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000,
  })
  try {
    const exited = once(server, 'exit')
    // its banner, or the end of one that does not start, which the next start reports
    await Promise.race([once(server.stdout, 'data'), exited])
    server.kill()
    await exited
  } finally {
    rmSync(data, { recursive: true })
  }
}
