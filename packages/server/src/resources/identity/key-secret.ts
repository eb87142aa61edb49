import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Caller } from '../../calls/caller.ts'
import { type MessageKey, publicMessageKey, secretMessageKey } from './message-key.ts'
import { SigningKey } from './signing-key.ts'

/** A secret or public key of an access key, which has two of them while it is rotated. */
export interface KeySecret {
  /** Infinite unless it was replaced. */
  readonly validUntil: number
  /** For the scheme of the specification. */
  readonly signingKey: SigningKey
  /** For RFC 9421. */
  readonly messageKey: MessageKey
  /** Who signs with it. */
  readonly caller: Caller
}

/** Nobody knows the other half of these. They verify what no key can, at the same cost. */
const unknown = randomBytes(32).toString('hex')
export const unusableSigningKey = new SigningKey(unknown, 'sha1')
export const unusableMessageKeys: Readonly<Record<MessageKey['alg'], MessageKey>> = {
  'hmac-sha256': secretMessageKey(unknown),
  ed25519: publicMessageKey(
    generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  ),
}
