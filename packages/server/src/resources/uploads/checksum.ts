import { invalid } from '@wharf/platform/api-error.ts'

/** The algorithm names of tus and their digest lengths. Every tus server must support SHA-1. */
const digestBytes: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

export const checksumAlgorithms: readonly string[] = Object.keys(digestBytes)

export interface Checksum {
  readonly algorithm: string
  /** In hex. */
  readonly digest: string
}

/** `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=` */
export function readChecksum(header: string): Checksum {
  const [, algorithm = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header) ?? []
  const length = Object.hasOwn(digestBytes, algorithm) ? digestBytes[algorithm] : undefined
  if (base64 === '') throw invalid('Upload-Checksum must be an algorithm, a space and a checksum in base64')
  if (length === undefined)
    throw invalid(`Upload-Checksum names an unknown algorithm; supported are ${checksumAlgorithms.join(', ')}`)
  const digest = Buffer.from(base64, 'base64')
  if (digest.length !== length) throw invalid(`the checksum in Upload-Checksum must have ${length} bytes`)
  return { algorithm, digest: digest.toString('hex') }
}
