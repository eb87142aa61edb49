import { type ErrorCode, errorCatalogue, type WireError } from '@wharf/contract'
import { plainText } from './plain-text.ts'

interface More {
  cause?: unknown
  /** Only where HTTP has a specific status for an invalid argument: 405, 413, 415, 431 … */
  status?: number
  retryAfterSeconds?: number
  /** Records that the details name, which a caller with a scope may not know. */
  mentions?: readonly Mention[]
  /** Data for the client beside the text. */
  opaque?: WireError['opaque']
}

export interface Mention {
  readonly uuid: string
  /** The part of the details that names it. */
  readonly text: string
}

/** Every intended failure. Any other error that is thrown is a fault of Wharf and answered with SYS.1000. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly mentions: readonly Mention[]
  readonly opaque: WireError['opaque']

  constructor(code: ErrorCode, details: string, more: More = {}) {
    // names of files, output of hooks and banners of hosts become details
    super(plainText(details), more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.status = more.status ?? errorCatalogue[code].status
    this.retryAfterSeconds = more.retryAfterSeconds
    this.mentions = more.mentions ?? []
    this.opaque = more.opaque ?? null
  }
}

export const invalid = (details: string): ApiError => new ApiError('SYS.1007', details)
export const notFound = (what: string, uuid: string): ApiError =>
  new ApiError('SYS.1003', `there is no ${what} with uuid ${uuid}`)
