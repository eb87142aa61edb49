/** Calls `listener` when the signal is aborted, immediately when it already is, and never after being disposed. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): Disposable {
  if (signal?.aborted) listener()
  else signal?.addEventListener('abort', listener, { once: true })
  return { [Symbol.dispose]: () => signal?.removeEventListener('abort', listener) }
}

/** The result of the work, or the reason of the signal as soon as it is aborted; the work then continues unobserved. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>, reason?: () => Error): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  using _listening = onAbort(signal, () => aborted.reject(reason?.() ?? signal.reason))
  return await Promise.race([work, aborted.promise])
}

/** The result of the work, or the error of `late` after `ms`; the work then continues unobserved. */
export async function withDeadline<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const passed = Promise.withResolvers<never>()
  const timer = setTimeout(() => passed.reject(late()), ms)
  try {
    return await Promise.race([work, passed.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when the work does, or after `ms`; a pending wait does not keep the process alive. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const passed = Promise.withResolvers<void>()
  const timer = setTimeout(passed.resolve, ms).unref()
  try {
    await Promise.race([work, passed.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A signal that is aborted with its parent, or with `reason` after `ms`. Disposing stops the timer. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal
  readonly #timer: NodeJS.Timeout

  constructor(parent: AbortSignal, ms: number, reason: Error) {
    const passed = new AbortController()
    this.#timer = setTimeout(() => passed.abort(reason), ms)
    this.signal = AbortSignal.any([parent, passed.signal])
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
