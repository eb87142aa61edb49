/** A fifth more or less, so that endpoints of one vendor do not come back all at once. */
const jitter = 0.2

/**
 * How long to wait after the attempt with this number, the first being 1. `afterSeconds` is what the vendor asked for;
 * it is never undercut. `random` is a number from 0 to 1.
 */
export function retryPauseMs(
  attempt: number,
  {
    retryMs,
    afterSeconds = 0,
    random,
  }: { retryMs: readonly number[]; afterSeconds?: number | undefined; random: number },
): number {
  const pause = retryMs[Math.min(attempt, retryMs.length) - 1] ?? 0
  const own = Math.round(pause * (1 - jitter + 2 * jitter * random))
  return Math.max(own, Math.ceil(afterSeconds * 1000))
}
