import { createHash, type Hash } from 'node:crypto'
import type { Digests } from '@wharf/platform/digests.ts'

/** The digests of a whole upload: always MD5, and SHA-256 only where one is expected, since it costs time. */
export class UploadHash {
  readonly #md5: Hash
  readonly #sha256: Hash | undefined

  constructor(md5: Hash, sha256: Hash | undefined) {
    this.#md5 = md5
    this.#sha256 = sha256
  }

  static create(withSha256: boolean): UploadHash {
    return new UploadHash(createHash('md5'), withSha256 ? createHash('sha256') : undefined)
  }

  get hasSha256(): boolean {
    return this.#sha256 !== undefined
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes)
    this.#sha256?.update(bytes)
  }

  copy(): UploadHash {
    return new UploadHash(this.#md5.copy(), this.#sha256?.copy())
  }

  /** Of the bytes so far; more may follow. */
  digests(): Digests {
    const sha256 = this.#sha256?.copy().digest('hex')
    return { md5: this.#md5.copy().digest('hex'), ...(sha256 === undefined ? {} : { sha256 }) }
  }
}
