import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { presentOwnership } from '../../jobs/ownership.ts'
import { NoConnection } from '../../ssh/failure.ts'
import type { Transport, Words } from './transport.ts'

/** Before the second and the third attempt. */
const pausesMs = [1000, 3000]

/**
 * A host that is slow to connect must not fail a job: nothing is started there yet, so it is tried again. What a host
 * refuses, or that it does not exist, is final; outside of a job, and while steps are undone, the caller has its own retries.
 */
export async function openWithRetries(
  transport: Transport,
  words: Words,
  signal: AbortSignal,
): Promise<ChildProcessWithoutNullStreams> {
  const ownership = presentOwnership()
  for (let attempt = 0; ; attempt++) {
    try {
      return await transport.open(words, signal, attempt)
    } catch (error) {
      const pauseMs = pausesMs[attempt]
      if (ownership?.log === undefined || pauseMs === undefined || signal.aborted) throw error
      if (!(error instanceof NoConnection) || !error.isTransient) throw error
      ownership.log(
        `attempt ${attempt + 1} of ${pausesMs.length + 1}: ${error.message}; trying again in ${pauseMs / 1000} s`,
      )
      await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      ownership.requireOwned()
    }
  }
}
