import { ApiError } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'

interface ServiceError {
  readonly name?: string
  readonly message?: string
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** The status of the response; undefined when there was none. */
export const statusOf = (error: unknown): number | undefined => (error as ServiceError).$metadata?.httpStatusCode
const nameOf = (error: unknown): string => String((error as ServiceError).name ?? '')

/** A concurrent put of the object has removed this upload. */
export const isSuperseded = (error: unknown): boolean => nameOf(error) === 'NoSuchUpload'

export const isMissing = (error: unknown): boolean => statusOf(error) === 404
/** The object exists, or a concurrent upload created it. */
export const isTaken = (error: unknown): boolean =>
  statusOf(error) === 412 || nameOf(error) === 'ConditionalRequestConflict'
/** Some services do not implement conditions on writes. */
export const lacksConditions = (error: unknown): boolean =>
  statusOf(error) === 501 || nameOf(error) === 'NotImplemented'

const full = /^(QuotaExceeded|XMinioStorageFull|InsufficientStorage|ServiceQuotaExceeded)/

/** Uses the service's name for the failure, never its message, which could contain a secret. */
export function s3Failure(error: unknown, storage: string, action: string): ApiError {
  if (error instanceof ApiError) return error
  const status = statusOf(error)
  if (status === undefined) {
    const reason = isTimeout(error) ? 'it does not answer' : reasonOf(error)
    return new ApiError('BS.1003', `${storage} cannot be reached: ${reason}`)
  }
  const name = nameOf(error)
  if (status === 507 || full.test(name))
    return new ApiError('SoftwarePackage.1121', `${storage} cannot ${action}: ${name}`)
  return new ApiError('BS.1500', `${storage} cannot ${action}: ${explain(name, status)}`)
}

const isTimeout = (error: unknown): boolean => nameOf(error) === 'TimeoutError'

const explanations: Record<string, string> = {
  NoSuchBucket: 'the bucket does not exist',
  NoSuchKey: 'the file does not exist',
  NotFound: 'the bucket or file does not exist',
  AccessDenied: 'the access key may not do that',
  Forbidden: 'the access key may not do that',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  EntityTooLarge: 'the file is larger than the storage accepts',
  RequestTimeTooSkewed: 'the clock of this node or of the storage is wrong',
}

const explain = (name: string, status: number): string => explanations[name] ?? `it answered ${status} ${name}`.trim()
