import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const codeCache = fileURLToPath(new URL('../packages/platform/src/code-cache.cjs', import.meta.url))
const server = new URL('../packages/server/src/program/main.js', import.meta.url).href

/** Starts and stops the server of this bundle, so that later starts find in its folder what V8 compiles for one. */
export async function recordServerStart(bundle: string): Promise<void> {
  await withServer(recorded(join(bundle, 'server.cjs')), async () => {})
}

/** The same for the command, by a list, which has parts of most other commands. */
export async function recordHostList(bundle: string): Promise<void> {
  await withServer(`import(${JSON.stringify(server)})`, async (data) => {
    await once(start(recorded(join(bundle, 'wharf.cjs')), data, ['host', 'list']), 'close')
  })
}

const recorded = (program: string): string =>
  `require(${JSON.stringify(codeCache)}).recordCodeCache(); require(${JSON.stringify(program)})`

async function withServer(program: string, work: (data: string) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'wharf-start-'))
  const child = start(program, data)
  try {
    const exited = once(child, 'exit')
    // its banner, or the end of one that does not start, which the next start reports
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), exited])
    await work(data)
    child.kill()
    await exited
  } finally {
    rmSync(data, { recursive: true })
  }
}

function start(program: string, data: string, args: readonly string[] = []): ChildProcess {
  // it ends with the build, also when that is killed; its arguments follow the name of a file
  const ending = `process.stdin.resume().once('end', () => process.exit(1)).unref(); process.argv.splice(1, 0, '')`
  const child = spawn(process.execPath, ['--eval', `${ending}; ${program}`, ...args], {
    // no settings of the user, and no other servers
    env: { PATH: process.env.PATH, HOME: data, WHARF_DATA: data, WHARF_PORT: '0', WHARF_DISCOVERY: 'none' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000,
  })
  child.stdout.resume()
  return child
}
