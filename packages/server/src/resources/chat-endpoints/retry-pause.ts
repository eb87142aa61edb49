/** A fifth more or less, so that endpoints of one vendor do not come back all at once. */
const jitter = 0.2

/** A vendor that asks for more time than a message has is asked again this often. */
const impatienceMs = 3_600_000

/** What must be left of its time for another attempt. */
const spareMs = 60_000

/** Whether a vendor asks for more time than a message has. */
export const isTooLong = (afterSeconds: number, leftMs: number): boolean => afterSeconds * 1000 > leftMs - spareMs

/**
 * How long to wait after the attempt with this number, the first being 1. `afterSeconds` is what the vendor asked for;
 * it is not undercut unless nothing would ever be sent then: `leftMs` is the time until the message is given up.
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
  const asked = isTooLong(afterSeconds, leftMs) ? Math.min(impatienceMs, leftMs / 2) : afterSeconds * 1000
  return Math.max(own, Math.ceil(asked))
}
