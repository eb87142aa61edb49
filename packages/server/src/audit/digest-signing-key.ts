import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { AuditDigestStatement, SignedAuditDigest } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { readSetting, writeSettingOnce } from '@wharf/database/stored-settings.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'

/** Named `sealed…`, so that a rotation of the master key finds it. */
const setting = 'sealedAuditSigningKey'
const sealContext = `settings.${setting}`

/** A digest by what is signed; the columns beside its document can be edited. */
export interface SignedDigest extends AuditDigestStatement, SignedAuditDigest {}

type Range = Pick<SignedDigest, 'firstSeq' | 'lastSeq'>

export const rangeOf = ({ firstSeq, lastSeq }: Range): string => `${firstSeq} to ${lastSeq}`

/** Why the columns of a row are not those of the digest that it opens as. */
export function findRowFault(row: Range, digest: SignedDigest | undefined): string | undefined {
  const name = `the digest of entries ${rangeOf(digest ?? row)}`
  if (digest === undefined) return `${name} was not signed with the key of this trail`
  return rangeOf(digest) === rangeOf(row) ? undefined : `${name} is stored as that of ${rangeOf(row)}`
}

export const readDigest = ({ document, signature }: SignedAuditDigest): SignedDigest => ({
  ...(JSON.parse(document) as AuditDigestStatement),
  document,
  signature,
})

/** The Ed25519 key that signs digests: generated at the first start on a database, and encrypted in it. */
export class DigestSigningKey {
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  /** In PEM. */
  readonly publicKey: string

  private constructor(pem: string) {
    this.#key = createPrivateKey(pem)
    this.#publicKey = createPublicKey(this.#key)
    this.publicKey = this.#publicKey.export({ type: 'spki', format: 'pem' }).toString()
  }

  static async load({ database, sealing }: { database: Database; sealing: Sealing }): Promise<DigestSigningKey> {
    const stored = (await readSetting(database.read, setting)) ?? (await generate(database, sealing))
    return new DigestSigningKey(sealing.open(Buffer.from(stored, 'base64'), sealContext))
  }

  /** In Base64. */
  sign(document: string): string {
    return sign(null, Buffer.from(document), this.#key).toString('base64')
  }

  hasSigned({ document, signature }: SignedAuditDigest): boolean {
    return verify(null, Buffer.from(document), this.#publicKey, Buffer.from(signature, 'base64'))
  }

  /** Undefined when another key has signed it, or none, or when it is another text that this key has signed. */
  open(digest: SignedAuditDigest): SignedDigest | undefined {
    return digest.document.startsWith('{') && this.hasSigned(digest) ? readDigest(digest) : undefined
  }
}

/** Another node may be first. */
async function generate(database: Database, sealing: Sealing): Promise<string> {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const sealed = sealing.seal(pem, sealContext).toString('base64')
  await database.transaction((tx) => writeSettingOnce(tx, setting, sealed))
  return (await readSetting(database.read, setting)) ?? sealed
}
