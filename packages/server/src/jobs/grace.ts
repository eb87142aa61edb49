/**
 * Work that is told to stop by its signal gets a grace period to do so. One that does not obey must not hold up
 * the job for ever: then this ends with the reason of the signal, while the work goes on unheard.
 */
export async function withGrace<T>(running: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => {}
  const overdue = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs)
    }
  })
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([running, overdue])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
