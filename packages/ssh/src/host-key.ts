import { createHash } from 'node:crypto'
import { invalid } from '@wharf/platform/api-error.ts'

/** A host's public key, as it stands in known_hosts behind the name: `ssh-ed25519 AAAA…`. */
export type HostKey = string

/** The name that a pinned key stands under. An address would do worse: it changes, and jump hosts hide it. */
export const pinnedName = 'wharf-pinned-host'

/** `ssh-ed25519` */
export const typeOf = (key: HostKey): string => key.split(' ')[0] ?? ''

/** `SHA256:…`, as ssh-keygen shows it. */
export function fingerprintOf(key: HostKey): string {
  const blob = Buffer.from(key.split(' ')[1] ?? '', 'base64')
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

/** Operators copy fingerprints from many places: with or without the name of the hash, or the padding. */
export function checkedFingerprint(given: string): string {
  const match = /^(?:SHA256:)?([A-Za-z0-9+/]{43})=?$/.exec(given)
  if (match === null) throw invalid('hostKeyFingerprint is SHA256: and 43 characters, as ssh-keygen -l shows it')
  return `SHA256:${match[1]}`
}

/** A line of known_hosts that pins this key. */
export const knownHostsLine = (key: HostKey): string => `${pinnedName} ${key}\n`

/** The keys of a known_hosts file that ssh has written, without names and comments. */
export function keysOf(knownHosts: string): HostKey[] {
  return knownHosts
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([name, type, key]) => (name === pinnedName && type && key ? [`${type} ${key}`] : []))
}
