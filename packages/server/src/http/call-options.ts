import type { IncomingHttpHeaders } from 'node:http'
import { isUuid, maxTimeoutSeconds, normalizeUuid, type Operation } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'

/** The options of a call from its headers. */
export interface CallOptions {
  /** The client reads failures only from the job. */
  readonly jobUuid: string | undefined
  readonly idempotencyKey: string | undefined
  readonly timeoutSeconds: number | undefined
  readonly holdMs: number
  /** The applied preference, for Preference-Applied. */
  readonly preference: string | undefined
}

/** Clients that poll start early. */
const pollingClientHoldMs = 5000

export function readCallOptions(headers: IncomingHttpHeaders, operation: Operation, holdSeconds: number): CallOptions {
  const repeatable = operation.method !== 'GET' && operation.repeatable !== false
  const { jobUuid, idempotencyKey } = repeatable ? readKeys(headers) : noKeys
  const { holdMs, preference } = readPreference(headers.prefer, holdSeconds)
  return {
    jobUuid,
    idempotencyKey,
    timeoutSeconds: readTimeout(headers),
    holdMs: holdMs ?? (jobUuid === undefined ? holdSeconds * 1000 : pollingClientHoldMs),
    preference,
  }
}

/** Rejected first: a client would wait for a callback that is never sent. */
export function refuseWebHook(headers: IncomingHttpHeaders): void {
  if (headers['x-web-hook'] !== undefined)
    throw new ApiError('SYS.1014', 'X-Web-Hook is not supported; leave it out and poll the location')
}

type Keys = Pick<CallOptions, 'jobUuid' | 'idempotencyKey'>
const noKeys: Keys = { jobUuid: undefined, idempotencyKey: undefined }

/** The key that identifies a repetition of this call. */
export function readKeys(headers: IncomingHttpHeaders): Keys {
  const jobUuid = readJobUuid(headers)
  const key = readIdempotencyKey(headers)
  if (jobUuid !== undefined && key !== undefined && jobUuid !== normalizeUuid(key))
    throw invalid('X-Job-UUID and Idempotency-Key differ; send one of them')
  return { jobUuid, idempotencyKey: jobUuid ?? key }
}

function readJobUuid(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-job-uuid']
  if (value === undefined) return undefined
  const uuid = normalizeUuid(String(value))
  if (!isUuid(uuid)) throw invalid('X-Job-UUID must be a uuid of 32 hex digits')
  return uuid
}

function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['idempotency-key']
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(value))
    throw invalid('Idempotency-Key must be 1 to 255 printable characters without spaces')
  return value
}

function readTimeout(headers: IncomingHttpHeaders): number | undefined {
  const value = headers['x-api-timeout']
  if (value === undefined) return undefined
  const seconds = /^\d{1,7}$/.test(String(value)) ? Number(value) : 0
  if (seconds < 1 || seconds > maxTimeoutSeconds)
    throw invalid(`X-API-Timeout must be a number of seconds from 1 to ${maxTimeoutSeconds}`)
  return seconds
}

interface Preference {
  readonly holdMs?: number
  readonly preference: string | undefined
}
const noPreference: Preference = { preference: undefined }

/** RFC 7240: unknown preferences are ignored; `respond-async, wait=10` means asynchronously after 10 s. */
function readPreference(header: string | string[] | undefined, maxSeconds: number): Preference {
  if (header === undefined) return noPreference
  const preferences = String(header)
    .split(',')
    .map((preference) => preference.trim().toLowerCase())
  for (const preference of preferences) {
    const seconds = /^wait\s*=\s*"?(\d{1,5})"?$/.exec(preference)?.[1]
    if (seconds !== undefined) {
      const waitSeconds = Math.min(Number(seconds), maxSeconds)
      return { holdMs: waitSeconds * 1000, preference: `wait=${waitSeconds}` }
    }
  }
  const isAsync = preferences.includes('respond-async')
  return isAsync ? { holdMs: 0, preference: 'respond-async' } : noPreference
}
