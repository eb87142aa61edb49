import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secret } from '@wharf/platform/secret.ts'
import { type HostKey, knownHostsLine } from './host-key.ts'

/** The keys by which the two sides of a connection authenticate each other. */
export interface SshCredential {
  /** The pinned key; any other is refused. */
  readonly hostKey: HostKey
  readonly privateKey: Secret
  /** Otherwise the keys of the user's agent and ssh configuration are tried as well. */
  readonly onlyThisKey: boolean
}

/** Writes the keys to files in a private folder, because ssh reads them from files, and returns the options that name them. */
export async function writeCredential(
  folder: string,
  { hostKey, privateKey, onlyThisKey }: SshCredential,
): Promise<Record<string, string>> {
  const knownHosts = join(folder, 'known_hosts')
  const key = join(folder, 'key')
  await writeFile(knownHosts, knownHostsLine(hostKey), { mode: 0o600 })
  await writeFile(key, privateKey.reveal(), { mode: 0o600 })
  return {
    StrictHostKeyChecking: 'yes',
    UserKnownHostsFile: knownHosts,
    IdentityFile: key,
    ...(onlyThisKey ? { IdentitiesOnly: 'yes', IdentityAgent: 'none' } : {}),
  }
}
