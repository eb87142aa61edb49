import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type KeyPair, readPrivateKey, runSshKeygen } from './private-key.ts'

const folderIn = (dataFolder: string): string => join(dataFolder, 'ssh')
const fileIn = (dataFolder: string): string => join(folderIn(dataFolder), 'id_ed25519')

/** Operators copy the public key to a host before they add it, so it exists from the first start. */
export async function prepareServerKey(dataFolder: string): Promise<void> {
  if ((await readIfPresent(`${fileIn(dataFolder)}.pub`)) === undefined) await ensureServerKey(dataFolder)
}

/**
 * The key of this server, for hosts without a key of their own. It is in the data folder, beside its public key, which
 * belongs into authorized_keys of such hosts.
 */
export async function ensureServerKey(dataFolder: string): Promise<KeyPair> {
  const folder = folderIn(dataFolder)
  const file = fileIn(dataFolder)
  const pair = await readPrivateKey((await readIfPresent(file)) ?? (await createKey(folder, file)))
  await writeFile(`${file}.pub`, `${pair.publicKey}\n`)
  return pair
}

/** Concurrent calls get the same key, because a link never replaces a file. */
async function createKey(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await runSshKeygen(['-q', '-t', 'ed25519', '-N', '', '-C', 'wharf', '-f', fresh])
    await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(fresh, { force: true })
    await rm(`${fresh}.pub`, { force: true })
  }
  return readFile(file, 'utf8')
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
