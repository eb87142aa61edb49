import { addHost } from '@wharf/contract'
import { type Wharf, WharfError } from '@wharf/sdk'

/** The hash of nothing that exists: no host has a key with it. */
const nobodys = `SHA256:${'A'.repeat(43)}`

export interface Target {
  readonly name: string
  readonly address: string
  readonly sshPort: number
  readonly username: string
}

/**
 * The fingerprints of the keys that a host shows, the one that SSH would take first. A host that is to have a key which
 * nobody has is refused before the sign-in and leaves no record; the refusal says which keys it has instead.
 */
export async function askForHostKeys(wharf: Wharf, target: Target): Promise<string[]> {
  try {
    await wharf.call(addHost, { ...target, driver: 'ssh', hostKeyFingerprint: nobodys })
  } catch (error) {
    const found = fingerprintsIn(error)
    if (found.length > 0) return found
    throw error
  }
  throw new Error(`${target.address} has a key with the fingerprint ${nobodys}`)
}

function fingerprintsIn(error: unknown): string[] {
  if (!(error instanceof WharfError)) return []
  const own = error.code === 'HOST.1004' ? [...error.details.matchAll(/SHA256:[A-Za-z0-9+/]{43}/g)] : []
  const found = [...new Set(own.map(([fingerprint]) => fingerprint))].filter((one) => one !== nobodys)
  return found.length > 0 ? found : fingerprintsIn(error.cause)
}
