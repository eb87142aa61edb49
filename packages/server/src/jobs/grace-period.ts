import { onAbort } from '@wharf/platform/abort.ts'

/**
 * Work whose signal is aborted gets a grace period to stop. When it does not stop in time, this rejects with the reason of
 * the signal and the work continues unobserved, so that it cannot block the job.
 */
export async function withGracePeriod<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const overdue = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  using _listening = onAbort(signal, () => {
    timer = setTimeout(() => overdue.reject(signal.reason), graceMs)
  })
  try {
    return await Promise.race([work, overdue.promise])
  } finally {
    clearTimeout(timer)
  }
}
