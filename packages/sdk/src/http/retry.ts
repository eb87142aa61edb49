export interface RetryLimits {
  /** The first try and its repetitions. */
  readonly tries: number
  /** No repetition begins later than this after the first try. */
  readonly maxMs: number
  /** The longest pause before the first repetition; it doubles from then on … */
  readonly firstPauseMs: number
  /** … up to this. */
  readonly maxPauseMs: number
}

/** A server that is restarted is back within seconds; whoever waits longer wants to know. */
export const defaultRetry: RetryLimits = { tries: 8, maxMs: 60_000, firstPauseMs: 200, maxPauseMs: 10_000 }

/** How often something was tried in vain, and how long to wait before the next time. */
export class Attempts {
  readonly #limits: RetryLimits
  readonly #began = performance.now()
  #failed = 0

  constructor(limits: RetryLimits) {
    this.#limits = limits
  }

  /** Undefined when it is enough. What the server asks for is kept; else anything up to twice the last time. */
  nextPauseMs(retryAfterMs?: number): number | undefined {
    const { tries, maxMs } = this.#limits
    this.#failed++
    const pauseMs = retryAfterMs ?? this.#backOffMs()
    const isLate = performance.now() - this.#began + pauseMs > maxMs
    return this.#failed >= tries || isLate ? undefined : pauseMs
  }

  /** Full jitter, so that clients that failed together do not come back together. */
  #backOffMs(): number {
    const { firstPauseMs, maxPauseMs } = this.#limits
    return Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#failed - 1))
  }
}

/** `Retry-After: 3` or a date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
