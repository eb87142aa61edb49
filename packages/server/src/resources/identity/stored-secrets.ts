import { sha256 } from '@wharf/platform/constant-time.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'

/** The columns of an access key with its secrets. */
export interface StoredSecrets {
  readonly sealedSecret: Uint8Array
  /** The secret before the last rotation. */
  readonly sealedPreviousSecret: Uint8Array | null
  readonly overlapEndDate: number | null
}

/** Sealed together with the id, so that a secret cannot be moved to another key. */
const secretContext = (accessKeyId: string): string => `accessKeys.secret.${accessKeyId}`
const previousSecretContext = (accessKeyId: string): string => `accessKeys.previousSecret.${accessKeyId}`

interface OpenedSecret {
  readonly text: string
  readonly hash: string
  readonly validUntil: number
}

const opened = (text: string, validUntil: number): OpenedSecret => ({ text, hash: sha256(text), validUntil })

/** The current secret, and the previous one after a rotation. */
export function openSecrets(
  sealing: Sealing,
  id: string,
  { sealedSecret, sealedPreviousSecret, overlapEndDate }: StoredSecrets,
): readonly [OpenedSecret, OpenedSecret?] {
  const current = opened(sealing.open(sealedSecret, secretContext(id)), Number.POSITIVE_INFINITY)
  if (sealedPreviousSecret === null) return [current]
  return [current, opened(sealing.open(sealedPreviousSecret, previousSecretContext(id)), overlapEndDate ?? 0)]
}

export const sealSecret = (sealing: Sealing, id: string, secret: string): Uint8Array =>
  sealing.seal(secret, secretContext(id))

/** The columns after a rotation at which the current secret becomes the previous one. */
export const sealPrevious = (sealing: Sealing, id: string, { sealedSecret }: Pick<StoredSecrets, 'sealedSecret'>) => ({
  sealedPreviousSecret: sealing.seal(sealing.open(sealedSecret, secretContext(id)), previousSecretContext(id)),
})
