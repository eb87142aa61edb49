import { errorCatalogue, type WireError } from '@wharf/contract'
import {
  isCommitInDoubt,
  isConnectionFailure,
  isDamaged,
  isDiskFailure,
  isLockTimeout,
  isSerialisationFailure,
  isStatementTimeout,
} from '@wharf/database/failures.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { diskFailure } from '@wharf/platform/disk-failure.ts'

/** The only place that converts a thrown value into an error of the catalogue. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isConnectionFailure(error)) return databaseUnavailable(error)
  if (isDiskFailure(error)) return databaseDisk(error)
  if (isDamaged(error)) return databaseDamaged(error)
  if (isSerialisationFailure(error) || isStatementTimeout(error) || isLockTimeout(error)) return tooManyConflicts(error)
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string }
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500)
    return fromFramework(code, statusCode)
  const diskError = diskFailure(error)
  if (diskError) return diskError
  return new ApiError('SYS.1000', 'an internal error; the server log has details under this request id', {
    cause: error,
  })
}

/** A repetition with the idempotency key returns the result; without a key the result is unknown. */
const databaseUnavailable = (cause: unknown): ApiError => {
  const message = isCommitInDoubt(cause)
    ? 'the connection to the database was lost at the commit, so this may have happened or not; repeat it with the same idempotency key, or check first'
    : 'the database is unavailable; try again shortly'
  return new ApiError('SYS.1010', message, { cause, retryAfterSeconds: 2 })
}

/** Repeating fails until an operator frees space or repairs the disk. */
const databaseDisk = (cause: unknown): ApiError => {
  const problem = `the database cannot write to its disk (${(cause as Error).message})`
  return new ApiError('SYS.1010', `${problem}; repeat the call with the same idempotency key when this is fixed`, {
    cause,
    retryAfterSeconds: 10,
  })
}

const databaseDamaged = (cause: unknown): ApiError =>
  new ApiError(
    'SYS.1018',
    `the database is damaged (${(cause as Error).message}); the operator must stop this server and restore a backup`,
    { cause },
  )

/** After several attempts. */
const tooManyConflicts = (cause: unknown): ApiError =>
  new ApiError('SYS.1010', 'too many concurrent changes of the same record; nothing was changed, try again shortly', {
    cause,
    retryAfterSeconds: 1,
  })

function fromFramework(code: string, status: number): ApiError {
  const messages: Record<string, string> = {
    FST_ERR_CTP_BODY_TOO_LARGE: 'the body is larger than 256 KiB',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'the Content-Type must be application/json;charset=UTF-8',
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the length of the body differs from Content-Length',
    FST_ERR_BAD_URL: 'the path has a broken % escape',
    FST_ERR_MAX_PARAM_LENGTH: 'a part of the path is too long',
  }
  return new ApiError('SYS.1007', messages[code] ?? 'the request cannot be read', { status })
}

/** All six fields, always; the request id ends the outermost details. */
export function wireError(error: ApiError, requestId?: string): WireError {
  return {
    code: error.code,
    description: errorCatalogue[error.code].description,
    details: requestId === undefined ? error.message : `${error.message} (request ${requestId})`,
    elaboration: null,
    opaque: error.opaque,
    cause: error.cause instanceof ApiError ? wireError(error.cause) : null,
  }
}

/** Some client libraries read `error` only if it is the only field. */
export const failureText = (error: ApiError, requestId: string, errorAlone = false): string =>
  JSON.stringify({ ...(errorAlone ? {} : { success: false }), error: wireError(error, requestId) })
