import { onAbort } from '@wharf/platform/abort.ts'
/**
 * Work that is told to stop by its signal gets a grace period to do so. One that does not obey must not hold up
 * the job for ever: then this ends with the reason of the signal, while the work goes on unheard.
 */
export async function withGrace<T>(running: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const overdue = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  using _listening = onAbort(signal, () => {
    timer = setTimeout(() => overdue.reject(signal.reason), graceMs)
  })
  try {
    return await Promise.race([running, overdue.promise])
  } finally {
    clearTimeout(timer)
  }
}
