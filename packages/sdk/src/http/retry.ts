import type { ResponseHeaders } from './send-request.ts'

export interface RetryLimits {
  /** The first attempt and its retries. */
  readonly tries: number
  /** No retry starts later than this after the first attempt. */
  readonly maxMs: number
  /** The longest pause before the first retry; it doubles with each retry … */
  readonly firstPauseMs: number
  /** … up to this value. */
  readonly maxPauseMs: number
}

/** A restarted server is ready within seconds; callers want an error for a longer outage. */
export const defaultRetry: RetryLimits = { tries: 8, maxMs: 60_000, firstPauseMs: 200, maxPauseMs: 10_000 }

/** Exponential backoff: doubles with each failure up to the maximum. */
export const backoffMs = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** failures)

/** Counts failed attempts and computes the pause before the next one. */
export class Attempts {
  readonly #limits: RetryLimits
  readonly #startedAt = performance.now()
  #failed = 0

  constructor(limits: RetryLimits) {
    this.#limits = limits
  }

  /** Undefined when a limit is reached. Retry-After takes precedence over the backoff. */
  nextPauseMs(retryAfterMs?: number): number | undefined {
    const { tries, maxMs, firstPauseMs, maxPauseMs } = this.#limits
    this.#failed++
    // full jitter, so that clients that fail together do not retry together
    const pauseMs = retryAfterMs ?? Math.random() * backoffMs(this.#failed - 1, firstPauseMs, maxPauseMs)
    const isLate = performance.now() - this.#startedAt + pauseMs > maxMs
    return this.#failed >= tries || isLate ? undefined : pauseMs
  }
}

/** `Retry-After: 3` or a date. */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
