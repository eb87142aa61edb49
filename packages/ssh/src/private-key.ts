import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { createPrivateFolder } from './private-folder.ts'

export interface KeyPair {
  readonly privateKey: Secret
  /** One line, as in authorized_keys. */
  readonly publicKey: string
}

/**
 * A private key in the format of ssh, with its public key. Forms and browsers change line ends and drop the last one,
 * and ssh rejects such a key.
 */
export async function readPrivateKey(given: string): Promise<KeyPair> {
  const text = `${given.replaceAll(/\r\n?/g, '\n').trim()}\n`
  const folder = await createPrivateFolder()
  const file = join(folder, 'key')
  try {
    await writeFile(file, text, { mode: 0o600 })
    const publicKey = await runSshKeygen(['-y', '-P', '', '-f', file])
    return { privateKey: Secret.of(text), publicKey: publicKey.trim() }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw invalid('privateKey is not a private key that ssh can read, or it is protected by a passphrase')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An Ed25519 key without a passphrase. */
export async function generateKeyPair(): Promise<KeyPair> {
  const folder = await createPrivateFolder()
  const file = join(folder, 'key')
  try {
    await runSshKeygen(['-q', '-t', 'ed25519', '-N', '', '-C', 'wharf', '-f', file])
    return await readPrivateKey(await readFile(file, 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** It processes a few hundred bytes; a longer run is stuck. */
const maxKeygenMs = 10_000

export async function runSshKeygen(args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ssh-keygen', args, { timeout: maxKeygenMs, killSignal: 'SIGKILL' })
    return stdout
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new ApiError('SYS.1016', 'ssh-keygen is not installed on this node', { cause })
  }
}
