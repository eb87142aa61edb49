import { hash } from 'node:crypto'

const blockBytes = 64
const digestBytes = 20
/** Not from Node's shared pool: the signed bytes start with the secret. */
const scratch = Buffer.alloc(4096)

/**
 * A secret prepared for HMAC-SHA1 (RFC 2104). Two plain hashes make a signed call a tenth faster: node:crypto creates an
 * Hmac object per signature and hashes the secret each time.
 */
export class SigningKey {
  readonly #inner: Buffer
  /** Followed by space for the digest. */
  readonly #outer: Buffer

  constructor(secret: string) {
    const key = Buffer.from(secret)
    const block = Buffer.alloc(blockBytes)
    block.set(key.length > blockBytes ? hash('sha1', key, 'buffer') : key)
    key.fill(0)
    this.#inner = Buffer.alloc(blockBytes)
    this.#outer = Buffer.alloc(blockBytes + digestBytes)
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
    this.#outer.write(hash('sha1', message, 'latin1'), blockBytes, 'latin1')
    return hash('sha1', this.#outer, 'base64')
  }
}
