import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secret } from '@wharf/platform/secret.ts'
import { type HostKey, knownHostsLine } from './host-key.ts'

/** By which the two sides of a connection know each other. */
export interface SshCredential {
  /** The pinned one; any other is refused. */
  readonly hostKey: HostKey
  readonly privateKey: Secret
  /** Only this key signs in. Else those of the user's agent and ssh configuration are tried as well. */
  readonly onlyThisKey: boolean
}

/** Lays the keys in a private folder, for as long as that is there: ssh takes them from files. The options that name them. */
export async function layCredential(
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
