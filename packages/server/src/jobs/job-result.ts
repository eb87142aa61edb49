import type { ErrorCode } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'

/** A failure as it is stored: the chain of causes, without stacks. */
export interface StoredFailure {
  code: ErrorCode
  details: string
  status: number
  cause: StoredFailure | null
}

export type JobResult = { answer: object } | { failure: StoredFailure }

export const endState = ({ code }: ApiError) => (code === 'SYS.1017' ? 'Cancelled' : 'Failed')

/** Only causes from the error catalogue are stored: the text of any other may contain anything. */
export const storeFailure = (error: ApiError, mask = (text: string): string => text): StoredFailure => ({
  code: error.code,
  details: mask(error.message),
  status: error.status,
  cause: error.cause instanceof ApiError ? storeFailure(error.cause, mask) : null,
})

export const reviveFailure = (stored: StoredFailure): ApiError =>
  new ApiError(stored.code, stored.details, {
    status: stored.status,
    ...(stored.cause ? { cause: reviveFailure(stored.cause) } : {}),
  })
