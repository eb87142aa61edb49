import { hash } from 'node:crypto'

const blockBytes = 64
const digestBytes = 20

/**
 * A secret made ready to sign with HMAC-SHA1 (RFC 2104). Two plain hashes take a tenth off a signed call: an Hmac of
 * node:crypto is an object that is made, filled and collected every time, and begins with the secret every time.
 */
export class SigningKey {
  readonly #inner: Buffer
  /** With room for the digest that it is followed by. */
  readonly #outer: Buffer

  constructor(secret: string) {
    const key = Buffer.from(secret)
    const block = Buffer.alloc(blockBytes)
    block.set(key.length > blockBytes ? hash('sha1', key, 'buffer') : key)
    this.#inner = block.map((byte) => byte ^ 0x36) as Buffer
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c)], blockBytes + digestBytes)
  }

  /** In Base64. */
  sign(text: string): string {
    const message = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(text))
    message.set(this.#inner)
    message.write(text, blockBytes)
    this.#outer.write(hash('sha1', message, 'latin1'), blockBytes, 'latin1')
    return hash('sha1', this.#outer, 'base64')
  }
}
