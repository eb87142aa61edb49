import { hash } from 'node:crypto'

/** Of both algorithms. */
const blockBytes = 64
const digestBytes = { sha1: 20, sha256: 32 }
/** Not from Node's shared pool: the signed bytes start with the secret. */
const scratch = Buffer.alloc(4096)

/**
 * A secret prepared for HMAC (RFC 2104). Two plain hashes make a signed call a tenth faster: node:crypto creates an
 * Hmac object per signature and hashes the secret each time.
 */
export class HmacKey {
  readonly #algorithm: keyof typeof digestBytes
  readonly #inner: Buffer
  /** Followed by space for the digest. */
  readonly #outer: Buffer

  constructor(secret: string, algorithm: keyof typeof digestBytes) {
    const key = Buffer.from(secret)
    const block = Buffer.alloc(blockBytes)
    block.set(key.length > blockBytes ? hash(algorithm, key, 'buffer') : key)
    this.#algorithm = algorithm
    key.fill(0)
    this.#inner = Buffer.alloc(blockBytes)
    this.#outer = Buffer.alloc(blockBytes + digestBytes[algorithm])
    for (const [index, byte] of block.entries()) {
      this.#inner[index] = byte ^ 0x36
      this.#outer[index] = byte ^ 0x5c
    }
  }

  /** In Base64. */
  sign(text: string): string {
    const length = blockBytes + Buffer.byteLength(text)
    const message = length <= scratch.length ? scratch.subarray(0, length) : Buffer.alloc(length)
    message.set(this.#inner)
    message.write(text, blockBytes)
    this.#outer.write(hash(this.#algorithm, message, 'latin1'), blockBytes, 'latin1')
    return hash(this.#algorithm, this.#outer, 'base64')
  }
}
