import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** Random bytes are generated for many values at a time: each call costs more than its bytes. */
const randomIvs = Buffer.alloc(ivBytes * 256)
let usedIvBytes = randomIvs.length

/** Valid until the next one. */
function newIv(): Buffer {
  if (usedIvBytes === randomIvs.length) {
    randomFillSync(randomIvs)
    usedIvBytes = 0
  }
  usedIvBytes += ivBytes
  return randomIvs.subarray(usedIvBytes - ivBytes, usedIvBytes)
}

/** The keys that are derived from one master key. */
class DerivedKeys {
  readonly #sealKey: KeyObject
  readonly tokenKey: Buffer
  readonly fingerprint: string

  constructor(masterKey: Buffer) {
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', `wharf ${purpose}`, 32))
    this.#sealKey = createSecretKey(derive('seal'))
    this.tokenKey = derive('token')
    this.fingerprint = derive('fingerprint').toString('hex').slice(0, 16)
  }

  seal(text: string, context: string): Buffer {
    const iv = newIv()
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, iv).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body])
  }

  open(sealed: Uint8Array, context: string): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }
}

/** Everything that is derived from the master key; the key itself is private to this class. */
export class Sealing {
  #current: DerivedKeys
  /** Of a rotation: values may still be sealed with these, or already. */
  readonly #others = new Map<string, DerivedKeys>()
  #tokenKey: Buffer

  constructor(masterKey: Buffer) {
    this.#current = new DerivedKeys(masterKey)
    this.#tokenKey = this.#current.tokenKey
  }

  /** Identifies the master key that seals without revealing anything about it. */
  get fingerprint(): string {
    return this.#current.fingerprint
  }

  /** AES-256-GCM. `context` (table, column, row) is authenticated, so a sealed value cannot be moved elsewhere. */
  seal(text: string, context: string): Buffer {
    return this.#current.seal(text, context)
  }

  open(sealed: Uint8Array, context: string): string {
    if (this.#others.size === 0) return this.#current.open(sealed, context)
    const openings = [this.#current, ...this.#others.values()].map((keys) => attempt(() => keys.open(sealed, context)))
    return openings.find((text) => text !== undefined) ?? this.#current.open(sealed, context)
  }

  /** Equal for equal texts, however they are sealed, and reveals nothing else about them. */
  identify(sealed: Uint8Array, context: string): string {
    return this.token('identity', this.open(sealed, context))
  }

  /** A capability that need not be stored: the token of a resource permits the use of that resource. */
  token(purpose: string, uuid: string): string {
    return createHmac('sha256', this.#tokenKey).update(`${purpose} ${uuid}`).digest('base64url')
  }

  /** Shows whether a secret is the same as another one of this context, and nothing else about it. */
  keyedHash(text: string | Uint8Array, context: string): string {
    return createHmac('sha256', this.#tokenKey).update(`audit ${context}\n`).update(text).digest('hex')
  }

  /** Whether it opens what was sealed with this key. */
  opens(fingerprint: string): boolean {
    return fingerprint === this.fingerprint || this.#others.has(fingerprint)
  }

  /** From now on opens what is sealed with this key too. */
  admit(masterKey: Buffer): void {
    const keys = new DerivedKeys(masterKey)
    if (keys.fingerprint !== this.fingerprint) this.#others.set(keys.fingerprint, keys)
  }

  /** From now on seals with an admitted key. */
  switchTo(fingerprint: string): void {
    const keys = this.#others.get(fingerprint)
    if (keys === undefined) return
    this.#others.delete(fingerprint)
    this.#others.set(this.fingerprint, this.#current)
    this.#current = keys
  }

  /** The same value sealed with the current key; undefined if it is already. */
  reseal(sealed: Uint8Array, context: string): Buffer | undefined {
    if (attempt(() => this.#current.open(sealed, context)) !== undefined) return undefined
    return this.seal(this.open(sealed, context), context)
  }

  /** The key of tokens does not change with the master key: tokens are in the configuration of other systems. */
  sealTokenKey(context: string): Buffer {
    return this.seal(this.#tokenKey.toString('base64'), context)
  }

  useTokenKey(sealed: Uint8Array, context: string): void {
    this.#tokenKey = Buffer.from(this.open(sealed, context), 'base64')
  }
}

function attempt(open: () => string): string | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
