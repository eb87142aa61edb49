import { ApiError } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'

interface ServiceError {
  readonly name?: string
  readonly message?: string
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** The status of the answer; undefined when there was none. */
export const statusOf = (error: unknown): number | undefined => (error as ServiceError).$metadata?.httpStatusCode
const nameOf = (error: unknown): string => String((error as ServiceError).name ?? '')

/** Another put of the same object has cleared this one away. */
export const isOvertaken = (error: unknown): boolean => nameOf(error) === 'NoSuchUpload'

export const isMissing = (error: unknown): boolean => statusOf(error) === 404
/** It has one of that name, or another upload made one at the same time. */
export const isTaken = (error: unknown): boolean =>
  statusOf(error) === 412 || nameOf(error) === 'ConditionalRequestConflict'
/** Conditions on writes are younger than the protocol; some servers refuse what they do not know. */
export const knowsNoConditions = (error: unknown): boolean =>
  statusOf(error) === 501 || nameOf(error) === 'NotImplemented'

const full = /^(QuotaExceeded|XMinioStorageFull|InsufficientStorage|ServiceQuotaExceeded)/

/** What went wrong, from the name that the service gives it; its own words are never ours to trust with a secret. */
export function s3Failure(error: unknown, storage: string, doing: string): ApiError {
  if (error instanceof ApiError) return error
  const status = statusOf(error)
  if (status === undefined) {
    const words = isTimeout(error) ? 'it does not answer' : reasonOf(error)
    return new ApiError('BS.1003', `${storage} cannot be reached: ${words}`)
  }
  const name = nameOf(error)
  if (status === 507 || full.test(name))
    return new ApiError('SoftwarePackage.1121', `${storage} cannot ${doing}: ${name}`)
  return new ApiError('BS.1500', `${storage} cannot ${doing}: ${explain(name, status)}`)
}

const isTimeout = (error: unknown): boolean => nameOf(error) === 'TimeoutError'

const explanations: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  NoSuchKey: 'there is no such file',
  NotFound: 'there is no such bucket or file',
  AccessDenied: 'the access key may not do that',
  Forbidden: 'the access key may not do that',
  InvalidAccessKeyId: 'the access key is unknown there',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  EntityTooLarge: 'the file is larger than the storage takes',
  RequestTimeTooSkewed: 'the clock of this node or of the storage is wrong',
}

const explain = (name: string, status: number): string => explanations[name] ?? `it answered ${status} ${name}`.trim()
