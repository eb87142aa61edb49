import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'wharf-ssh-'
/** The path of a socket is limited to 107 bytes; ours adds less than 40, and ssh 17 while it creates one. */
const maxBaseBytes = 50
/** A folder without its socket is being created, or its creation was interrupted. */
const maxAgeWithoutSocketMs = 60_000

let root: Promise<string> | undefined
let created = 0

/**
 * A folder with mode 0700 for a control socket and a key, with a path that is short and plain enough for ssh. All of
 * them are in one folder of this process, which is removed when the process ends. A killed process leaves its folder
 * behind; the next process that creates one finds that nothing listens on its socket, and removes it.
 */
export async function createPrivateFolder(): Promise<string> {
  root ??= createRoot().catch((error: unknown) => {
    // the next caller tries again
    root = undefined
    throw error
  })
  const number = ++created
  const own = join(await root, String(number))
  await mkdir(own, { mode: 0o700 })
  return own
}

async function createRoot(): Promise<string> {
  const base = await chooseBase()
  void removeAbandoned(base).catch(() => {})
  const path = await mkdtemp(join(base, prefix))
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  const alive = createServer((socket) => socket.destroy()).listen(join(path, 'alive'))
  await once(alive, 'listening')
  alive.unref()
  return path
}

async function chooseBase(): Promise<string> {
  for (const base of [process.env.XDG_RUNTIME_DIR, tmpdir()]) {
    const isPlain = base !== undefined && base.length <= maxBaseBytes && /^\/[A-Za-z0-9_./-]+$/.test(base)
    if (isPlain && (await stat(base).catch(() => undefined))?.isDirectory()) return base
  }
  return '/tmp'
}

async function removeAbandoned(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(prefix)) continue
    const path = join(base, name)
    // other users can create such a name, also as a link to a folder of ours
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    const result = await connectionResult(join(path, 'alive'))
    const isAbandoned =
      result === 'ECONNREFUSED' || (result === 'ENOENT' && Date.now() - found.mtimeMs > maxAgeWithoutSocketMs)
    if (isAbandoned) await rm(path, { recursive: true, force: true })
  }
}

/** `connected`, or the code of the failure. */
async function connectionResult(path: string): Promise<string> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return 'connected'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  } finally {
    socket.destroy()
  }
}
