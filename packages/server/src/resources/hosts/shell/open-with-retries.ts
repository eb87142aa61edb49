import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { isTransientFailure } from '@wharf/ssh/failure.ts'
import { retryInJob } from '../../../jobs/retry-in-job.ts'
import type { Transport, Words } from './transport.ts'

/** A host that is slow to connect must not fail a job. What a host refuses, or that it does not exist, is final. */
export const openWithRetries = (
  transport: Transport,
  words: Words,
  signal: AbortSignal,
): Promise<ChildProcessWithoutNullStreams> =>
  retryInJob((attempt) => transport.open(words, signal, attempt), { signal, isTransient: isTransientFailure })
