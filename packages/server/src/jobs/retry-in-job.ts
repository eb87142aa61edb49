import { setTimeout as delay } from 'node:timers/promises'
import { currentOwnership } from './ownership.ts'

/** Before the second and the third attempt. */
const pausesMs = [1000, 3000]

/**
 * Retries work that has started nothing when it fails, such as a connection to a slow host. Failures that are not transient
 * are final; outside of a job, and while steps are undone, the caller has its own retries.
 */
export async function retryInJob<T>(
  work: (attempt: number) => Promise<T>,
  { signal, isTransient }: { readonly signal: AbortSignal; readonly isTransient: (error: unknown) => boolean },
): Promise<T> {
  const ownership = currentOwnership()
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      const pauseMs = pausesMs[attempt]
      if (ownership?.log === undefined || pauseMs === undefined || signal.aborted || !isTransient(error)) throw error
      ownership.log(
        `attempt ${attempt + 1} of ${pausesMs.length + 1}: ${reasonOf(error)}; trying again in ${pauseMs / 1000} s`,
      )
      await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      ownership.requireOwned()
    }
  }
}

/** The root cause; the whole chain is only reported after the last attempt. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : String((error as Error).message)
