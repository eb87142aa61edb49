import { readFileSync } from 'node:fs'
import type { AccessKey } from '@wharf/sdk'
import { UsageError } from '../errors.ts'
import type { StoredCredential } from './profiles.ts'

/** Undefined for a credential without an access key. */
export function accessKeyOf(credential: StoredCredential): AccessKey | undefined {
  const { accessKeyId: id, accessKeySecret: secret, privateKeyFile, scheme } = credential
  if (id === undefined) return undefined
  if (privateKeyFile !== undefined) return { id, privateKey: readPrivateKey(privateKeyFile) }
  return secret === undefined ? undefined : { id, secret, scheme }
}

function readPrivateKey(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read the private key ${path}: ${(error as Error).message}`)
  }
}
