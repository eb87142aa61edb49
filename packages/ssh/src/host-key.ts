import { createHash } from 'node:crypto'
import { invalid } from '@wharf/platform/api-error.ts'

/** A host's public key, as in known_hosts after the name: `ssh-ed25519 AAAA…`. */
export type HostKey = string

/** The name of a pinned key in known_hosts. An address is unsuitable: it changes, and jump hosts hide it. */
export const pinnedName = 'wharf-pinned-host'

/** `ssh-ed25519` */
export const typeOf = (key: HostKey): string => key.split(' ')[0] ?? ''

/** `SHA256:…`, as ssh-keygen prints it. */
export function fingerprintOf(key: HostKey): string {
  const blob = Buffer.from(key.split(' ')[1] ?? '', 'base64')
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

/** Accepts fingerprints with or without the name of the hash and the padding. */
export function checkedFingerprint(given: string): string {
  const match = /^(?:SHA256:)?([A-Za-z0-9+/]{43})=?$/.exec(given)
  if (match === null) throw invalid('hostKeyFingerprint is SHA256: and 43 characters, as ssh-keygen -l shows it')
  return `SHA256:${match[1]}`
}

/** A line of known_hosts that pins this key. */
export const knownHostsLine = (key: HostKey): string => `${pinnedName} ${key}\n`

/** The keys in a known_hosts file that ssh has written, without names and comments. */
export function keysOf(knownHosts: string): HostKey[] {
  return knownHosts
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([name, type, key]) => (name === pinnedName && type && key ? [`${type} ${key}`] : []))
}
