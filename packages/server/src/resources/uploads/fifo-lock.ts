import { takenOver } from './failures.ts'

interface Entry {
  readonly interruption: AbortController
  readonly done: PromiseWithResolvers<void>
  isSettled: boolean
}

/** The lock on an upload, until it is disposed. */
export interface LockHold extends Disposable {
  /** Aborted when a newer request acquires the lock; the reason is the answer to this one. */
  readonly signal: AbortSignal
  /** The bytes are final. The remaining work may take long, and a request for the progress need not wait for it. */
  settle(): void
}

/**
 * One request at a time works on an upload. A new request interrupts the holder and waits for it: a client that resumes has
 * lost its connection, and the server may not have noticed.
 */
export class FifoLock {
  readonly #last = new Map<string, Entry>()

  async acquire(id: string): Promise<LockHold> {
    const before = this.#last.get(id)
    const entry: Entry = { interruption: new AbortController(), done: Promise.withResolvers(), isSettled: false }
    this.#last.set(id, entry)
    before?.interruption.abort(takenOver())
    await before?.done.promise
    return {
      signal: entry.interruption.signal,
      settle: () => {
        entry.isSettled = true
      },
      [Symbol.dispose]: () => {
        if (this.#last.get(id) === entry) this.#last.delete(id)
        entry.done.resolve()
      },
    }
  }

  /** Does not wait for the holder to stop. */
  interrupt(id: string, reason: Error): void {
    this.#last.get(id)?.interruption.abort(reason)
  }

  lockedIds(): string[] {
    return [...this.#last.keys()]
  }

  isLocked(id: string): boolean {
    return this.#last.has(id)
  }

  isSettled(id: string): boolean {
    return this.#last.get(id)?.isSettled ?? false
  }

  /** Returns when every holder has stopped. */
  async interruptAll(reason: Error): Promise<void> {
    const entries = [...this.#last.values()]
    for (const { interruption } of entries) interruption.abort(reason)
    await Promise.all(entries.map(({ done }) => done.promise))
  }
}
