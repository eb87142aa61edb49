import { takenOver } from './failures.ts'

interface Entry {
  readonly interruption: AbortController
  readonly done: PromiseWithResolvers<void>
  isSettled: boolean
}

/** The right to work on an upload, until it is disposed of. */
export interface Turn extends Disposable {
  /** Aborted when someone else wants the upload; the reason is the answer. */
  readonly signal: AbortSignal
  /** The bytes are final; what still has to be done may take long, and whoever only asks need not wait for it. */
  settle(): void
}

/**
 * One request at a time works on an upload, and the newest one has it: a client that resumes has lost its connection,
 * and the server may not have noticed.
 */
export class Turns {
  readonly #last = new Map<string, Entry>()

  async take(id: string): Promise<Turn> {
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

  /** Whoever has it stops soon; ends at once. */
  interrupt(id: string, reason: Error): void {
    this.#last.get(id)?.interruption.abort(reason)
  }

  taken(): string[] {
    return [...this.#last.keys()]
  }

  isTaken(id: string): boolean {
    return this.#last.has(id)
  }

  isSettled(id: string): boolean {
    return this.#last.get(id)?.isSettled ?? false
  }

  /** Everyone stops; ends when they have. */
  async endAll(reason: Error): Promise<void> {
    const entries = [...this.#last.values()]
    for (const { interruption } of entries) interruption.abort(reason)
    await Promise.all(entries.map(({ done }) => done.promise))
  }
}
