import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { SignatureAlgorithm } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import { HmacKey } from './hmac-key.ts'

/** Verifies the signatures of messages (RFC 9421). */
export interface VerificationKey {
  readonly alg: SignatureAlgorithm
  /** `signature` is in Base64. */
  verifies(base: string, signature: string): boolean
}

export function hmacVerificationKey(secret: string): VerificationKey {
  const key = new HmacKey(secret, 'sha256')
  return { alg: 'hmac-sha256', verifies: (base, signature) => constantTimeEqual(signature, key.sign(base)) }
}

export function ed25519VerificationKey(pem: string): VerificationKey {
  const key = createPublicKey(pem)
  return {
    alg: 'ed25519',
    verifies: (base, signature) => verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64')),
  }
}

/** The same key in one spelling of PEM. */
export function normalizePublicKey(field: string, pem: string): string {
  const key = readPublicKey(pem)
  if (key?.asymmetricKeyType !== 'ed25519')
    throw invalid(`${field} must be an Ed25519 public key in PEM, as openssl pkey -pubout writes it`)
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

function readPublicKey(pem: string): KeyObject | undefined {
  // Node would derive the public key of a private one, which nobody should send
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) return undefined
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}
