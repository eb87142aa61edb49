import type { OutageListener, WaitOptions } from '../call-types.ts'
import { ConnectionError, WharfError } from '../error.ts'
import { sleep } from './abortable.ts'
import { backoffMs } from './retry.ts'

/** A restarted server resumes its jobs, so a waiter tolerates an outage of this length. */
const maxOutageMs = 10 * 60_000
const firstPauseMs = 250
const maxPauseMs = 5000
/** A proxy that is being reconfigured may answer for the server a few times. */
const maxForeignAnswers = 4

/** Reports the start and the end of each outage once. */
export class Outage {
  readonly #listener: OutageListener
  #isReported = false

  constructor(listener: OutageListener) {
    this.#listener = listener
  }

  failed(error: Error): void {
    if (!this.#isReported) this.#listener.onDisconnected?.(error)
    this.#isReported = true
  }

  answered(): void {
    if (this.#isReported) this.#listener.onReconnected?.()
    this.#isReported = false
  }
}

/** Repeats the work while the server is unavailable, for as long as an outage may last. */
export function retryDuringOutage<T>(work: () => Promise<T>, { signal, ...listener }: WaitOptions): () => Promise<T> {
  let lastAnswer = performance.now()
  const outage = new Outage(listener)
  return async () => {
    for (let failures = 0, foreignAnswers = 0; ; ) {
      try {
        const result = await work()
        lastAnswer = performance.now()
        outage.answered()
        return result
      } catch (error) {
        if (!isOutage(error) || performance.now() - lastAnswer > maxOutageMs) throw error
        if (error instanceof ConnectionError && error.isForeign && ++foreignAnswers >= maxForeignAnswers) throw error
        outage.failed(error)
        await sleep(backoffMs(failures++, firstPauseMs, maxPauseMs), signal)
      }
    }
  }
}

/** No response, or a server that is starting or stopping. */
const isOutage = (error: unknown): error is ConnectionError | WharfError =>
  error instanceof ConnectionError || (error instanceof WharfError && error.code === 'SYS.1010')
