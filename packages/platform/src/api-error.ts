import { type ErrorCode, errorCatalogue } from '@wharf/contract'
import { plainText } from './plain-text.ts'

interface More {
  cause?: unknown
  /** Only where HTTP has a specific status for an invalid argument: 405, 413, 415, 431 … */
  status?: number
  retryAfterSeconds?: number
}

/** Every intended failure. Any other error that is thrown is a fault of Wharf and answered with SYS.1000. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, details: string, more: More = {}) {
    // names of files, output of hooks and banners of hosts become details
    super(plainText(details), more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.status = more.status ?? errorCatalogue[code].status
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export const invalid = (details: string): ApiError => new ApiError('SYS.1007', details)
export const notFound = (what: string, uuid: string): ApiError =>
  new ApiError('SYS.1003', `there is no ${what} with uuid ${uuid}`)
