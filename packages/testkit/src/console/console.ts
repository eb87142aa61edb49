import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensureConsole } from '../../../../scripts/build-console.ts'
import { freePort } from '../free-port.ts'
import { TestServer, type TestServerOptions } from '../server/server.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const lock = join(root, 'node_modules/.building-console')
/** A build takes seconds; a lock that is older was left by a process that was killed. */
const maxBuildMs = 60_000

/** The folder of the built console. Test files run in parallel: one of them builds, the others wait for it. */
export async function builtConsole(): Promise<string> {
  const until = performance.now() + 2 * maxBuildMs
  while (!takeLock()) {
    if (performance.now() > until) throw new Error(`the console is not built: ${lock} is locked`)
    await delay(100)
  }
  try {
    await ensureConsole()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  return join(root, 'packages/console/dist')
}

function takeLock(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Date.now() - since > maxBuildMs) rmSync(lock, { recursive: true, force: true })
  return false
}

/**
 * Servers of one process that follow each other have one port, if it is still free: a browser has compiled the scripts of
 * that origin.
 */
let lastPort = 0

/** For WHARF_PORT. */
export async function consolePort(): Promise<string> {
  const isFree = await freePort('127.0.0.1', lastPort).then(Boolean, () => false)
  return String(isFree ? lastPort : 0)
}

/** A server in this process that serves the built console; chat messages and downloads may use loopback addresses. */
export async function startConsole(
  t: Parameters<typeof TestServer.start>[0],
  options: TestServerOptions = {},
): Promise<TestServer> {
  const consoleFolder = await builtConsole()
  const own = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8', WHARF_PORT: await consolePort() }
  const environment = { ...own, ...options.environment }
  const withConsole: TestServerOptions & { consoleFolder: string } = { ...options, environment, consoleFolder }
  const server = await TestServer.start(t, withConsole)
  lastPort = Number(new URL(server.url).port)
  return server
}

/** The local storage of a browser that has signed in, for pages that are not about signing in. */
export async function signedIn(
  server: Pick<TestServer, 'anonymous' | 'bootstrap'>,
  { name = 'admin', password = server.bootstrap.password } = {},
): Promise<Record<string, string>> {
  const logInByAccount = { accountName: name, password }
  const { status, body, text } = await server.anonymous.put('/v1/accounts/login', { logInByAccount })
  if (status !== 200) throw new Error(`signing in failed: ${text}`)
  const { uuid, userUuid } = body.inventory as { uuid: string; userUuid: string }
  return { 'wharf.session': JSON.stringify({ uuid, userUuid, userName: name, login: { accountName: name } }) }
}
