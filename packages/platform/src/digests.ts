import { ApiError } from './api-error.ts'

/** Of a whole package, in lower-case hex. */
export interface Digests {
  readonly md5: string
  /** Only computed where one is expected. */
  readonly sha256?: string | undefined
}

/** The announced digests. */
export type ExpectedDigests = { readonly [Kind in keyof Digests]?: string | undefined }

const names = { md5: 'MD5', sha256: 'SHA-256' } as const

/** The error of a package whose bytes do not match the announced digests; undefined when they do. */
export function digestMismatch(expected: ExpectedDigests, actual: Digests): ApiError | undefined {
  for (const kind of ['md5', 'sha256'] as const) {
    const announced = expected[kind]
    if (announced !== undefined && announced !== actual[kind])
      return new ApiError(
        'SoftwarePackage.1132',
        `the ${names[kind]} of the package is ${actual[kind]} instead of the announced ${announced}; nothing of it was kept: check the file and the digest, then upload it again`,
      )
  }
  return undefined
}
