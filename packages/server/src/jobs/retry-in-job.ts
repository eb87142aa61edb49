import { setTimeout as delay } from 'node:timers/promises'
import { presentOwnership } from './ownership.ts'

/** Before the second and the third attempt. */
const pausesMs = [1000, 3000]

/**
 * For work that has started nothing yet when it fails, such as a connection to a slow host: it must not fail a job. What is
 * not transient is final; outside of a job, and while steps are undone, the caller has its own retries.
 */
export async function retryInJob<T>(
  work: (attempt: number) => Promise<T>,
  { signal, isTransient }: { readonly signal: AbortSignal; readonly isTransient: (error: unknown) => boolean },
): Promise<T> {
  const ownership = presentOwnership()
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

/** The first cause: what follows from it is only reported when the last attempt has failed. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : String((error as Error).message)
