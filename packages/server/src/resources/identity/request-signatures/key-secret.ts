import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Caller } from '../../../calls/caller.ts'
import { HmacKey } from './hmac-key.ts'
import { ed25519VerificationKey, hmacVerificationKey, type VerificationKey } from './verification-key.ts'

/** A secret or public key of an access key, which has two of them while it is rotated. */
export interface KeySecret {
  /** Infinite unless it was replaced. */
  readonly validUntil: number
  /** For the scheme of the specification. */
  readonly hmacKey: HmacKey
  /** For RFC 9421. */
  readonly verificationKey: VerificationKey
  /** Who signs with it. */
  readonly caller: Caller
}

/** Nobody knows the other half of these. They verify what no key can, at the same cost. */
const unknown = randomBytes(32).toString('hex')
export const unusableHmacKey = new HmacKey(unknown, 'sha1')
let unusableEd25519: VerificationKey | undefined
export const unusableVerificationKeys: Readonly<Record<VerificationKey['alg'], VerificationKey>> = {
  'hmac-sha256': hmacVerificationKey(unknown),
  // created on demand: that takes longer than most steps of a start
  get ed25519() {
    unusableEd25519 ??= ed25519VerificationKey(
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    )
    return unusableEd25519
  },
}
