/** A fifth more or less, so that endpoints of one vendor do not retry together. */
const jitter = 0.2

/** How often to retry when a vendor requires a longer pause than the message is kept. */
const longPauseMs = 3_600_000

/** The time that must be left for another attempt. */
const spareMs = 60_000

/** Whether a vendor requires a longer pause than the message is kept. */
export const isTooLong = (afterSeconds: number, leftMs: number): boolean => afterSeconds * 1000 > leftMs - spareMs

/**
 * How long to wait after the attempt with this number, the first being 1. `afterSeconds` is the pause
 * that the vendor requires; it is kept unless the message would fail first, in `leftMs`.
 * `random` is a number from 0 to 1.
 */
export function retryPauseMs(
  attempt: number,
  {
    retryMs,
    afterSeconds = 0,
    leftMs,
    random,
  }: { retryMs: readonly number[]; afterSeconds?: number | undefined; leftMs: number; random: number },
): number {
  const pause = retryMs[Math.min(attempt, retryMs.length) - 1] ?? 0
  const own = Math.round(pause * (1 - jitter + 2 * jitter * random))
  const required = isTooLong(afterSeconds, leftMs) ? Math.min(longPauseMs, leftMs / 2) : afterSeconds * 1000
  return Math.max(own, Math.ceil(required))
}
