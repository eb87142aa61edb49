import { createHash, type Hash } from 'node:crypto'
import type { Digests } from '@wharf/platform/digests.ts'

/** Of a whole upload: MD5 always, SHA-256 only where one is expected, since it costs time. */
export class WholeHash {
  readonly #md5: Hash
  readonly #sha256: Hash | undefined

  constructor(md5: Hash, sha256: Hash | undefined) {
    this.#md5 = md5
    this.#sha256 = sha256
  }

  static fresh(withSha256: boolean): WholeHash {
    return new WholeHash(createHash('md5'), withSha256 ? createHash('sha256') : undefined)
  }

  get hasSha256(): boolean {
    return this.#sha256 !== undefined
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes)
    this.#sha256?.update(bytes)
  }

  copy(): WholeHash {
    return new WholeHash(this.#md5.copy(), this.#sha256?.copy())
  }

  /** Of what it has seen so far; it goes on. */
  digests(): Digests {
    const sha256 = this.#sha256?.copy().digest('hex')
    return { md5: this.#md5.copy().digest('hex'), ...(sha256 === undefined ? {} : { sha256 }) }
  }
}
