import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type KeyPair, readPrivateKey, runSshKeygen } from './private-key.ts'

/**
 * The key that this server signs in with where a host has none of its own. It is made at first use and stays in the data
 * folder; its public key, also beside it, belongs into authorized_keys of such hosts.
 */
export async function ensureServerKey(dataFolder: string): Promise<KeyPair> {
  const folder = join(dataFolder, 'ssh')
  const file = join(folder, 'id_ed25519')
  const pair = await readPrivateKey((await readIfPresent(file)) ?? (await makeKey(folder, file)))
  await writeFile(`${file}.pub`, `${pair.publicKey}\n`)
  return pair
}

/** Two that make it at once end up with the same: a link never replaces. */
async function makeKey(folder: string, file: string): Promise<string> {
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
