import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** Everything that is derived from the master key; the key itself is private to this class. */
export class Sealing {
  readonly #sealKey: Buffer
  readonly #tokenKey: Buffer
  /** Identifies a master key without revealing anything about it. */
  readonly fingerprint: string

  constructor(masterKey: Buffer) {
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', `wharf ${purpose}`, 32))
    this.#sealKey = derive('seal')
    this.#tokenKey = derive('token')
    this.fingerprint = derive('fingerprint').toString('hex').slice(0, 16)
  }

  /** AES-256-GCM. `place` (table, column, row) is authenticated, so a sealed value cannot be moved elsewhere. */
  seal(text: string, place: string): Buffer {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, iv).setAAD(Buffer.from(place))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body])
  }

  open(sealed: Uint8Array, place: string): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }

  /** A capability that need not be stored: the token of a resource permits the use of that resource. */
  token(purpose: string, uuid: string): string {
    return createHmac('sha256', this.#tokenKey).update(`${purpose} ${uuid}`).digest('base64url')
  }
}
