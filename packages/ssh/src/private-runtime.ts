import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'wharf-ssh-'
/** The path of a socket may have 107 bytes; ours adds less than 40, and ssh 17 while it makes one. */
const maxBaseBytes = 50
/** A folder without its socket is being made, or was left while it was. */
const maxAgeWithoutSocketMs = 60_000

let folder: Promise<string> | undefined
let drivers = 0

/**
 * A folder of a driver's own, for its control socket and its key: 0700, and with a path that is short and plain enough
 * for ssh. All of them lie in one folder of this process, which goes when the process ends. One that was killed leaves
 * it behind; the next process that needs such a folder sees that nobody listens there any more, and removes it.
 */
export async function privateFolder(): Promise<string> {
  folder ??= makeFolder().catch((error: unknown) => {
    // whoever asks next tries again
    folder = undefined
    throw error
  })
  const number = ++drivers
  const own = join(await folder, String(number))
  await mkdir(own, { mode: 0o700 })
  return own
}

async function makeFolder(): Promise<string> {
  const base = await chooseBase()
  void removeAbandoned(base).catch(() => {})
  const made = await mkdtemp(join(base, prefix))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  const alive = createServer((socket) => socket.destroy()).listen(join(made, 'alive'))
  await once(alive, 'listening')
  alive.unref()
  return made
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
    // other users can put anything under such a name, also a link to what is ours
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    const answer = await listens(join(path, 'alive'))
    const isAbandoned =
      answer === 'ECONNREFUSED' || (answer === 'ENOENT' && Date.now() - found.mtimeMs > maxAgeWithoutSocketMs)
    if (isAbandoned) await rm(path, { recursive: true, force: true })
  }
}

/** `yes`, or why not. */
async function listens(path: string): Promise<string> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return 'yes'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  } finally {
    socket.destroy()
  }
}
