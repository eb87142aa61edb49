import { setTimeout as delay } from 'node:timers/promises'
import { outsideTransaction, refuseInsideTransaction, type Tx } from '@wharf/database/database.ts'
import { isUnavailable } from '@wharf/database/failures.ts'
import { SerialQueue } from '@wharf/platform/serial-queue.ts'
import type { JobRow } from './job-row.ts'
import { LogBuffer } from './log-buffer.ts'
import type { RunParts } from './parts.ts'

/** Why a run ended without an outcome: the job goes on elsewhere. */
export class Detached extends Error {}

const flushMs = 250
export const databaseRetryMs = 500

/** What a run writes down of its job: the row and the log, as long as the job is its own. */
export class JobRecord {
  readonly #parts: RunParts
  readonly #held: { uuid: string; owner: string; fence: number }
  readonly #detach: AbortController
  #lines = new LogBuffer(0)
  #progress: number
  #flushTimer: NodeJS.Timeout | undefined
  /** The write that is under way, and those behind it. */
  readonly #writes = new SerialQueue()
  #closed = false

  /** `detach` ends everything here, and is ended from here when a write shows that another owns the job. */
  constructor(parts: RunParts, row: JobRow, owner: string, detach: AbortController) {
    this.#parts = parts
    this.#held = { uuid: row.uuid, owner, fence: row.fence }
    this.#progress = row.progress
    this.#detach = detach
  }

  /** Goes on with the log where the owner before stopped: its numbers, and what it kept out. */
  async continueLog(concealed: readonly string[]): Promise<void> {
    const { store } = this.#parts
    this.#lines = new LogBuffer(await this.#patiently(() => store.lastLogSequence(this.#held.uuid)), concealed)
  }

  tell(line: string): void {
    this.#lines.add(this.#parts.clock.now(), line)
    this.#flushSoon()
  }

  conceal(secret: string): void {
    this.#lines.conceal(secret)
  }

  get concealed(): readonly string[] {
    return this.#lines.concealed
  }

  /** Of a line that a program has printed. */
  maskLine(line: string): string {
    return this.#lines.maskLine(line)
  }

  mask(text: string): string {
    return this.#lines.mask(text)
  }

  /** Of the whole job; told to the database with the next write. */
  set progress(percent: number) {
    this.#progress = percent
    this.#flushSoon()
  }

  save(change: Partial<JobRow>): Promise<void> {
    return this.write(change, (tx) =>
      this.#parts.events.record(tx, { type: 'Updated', resourceType: 'ApiJob', uuid: this.#held.uuid }),
    )
  }

  /**
   * Every write of a job: fenced, with the log lines so far, and patient while the database is away. One at a time,
   * so that the lines are committed in their order: a reader who has seen number 7 does not look for number 6.
   */
  write<T>(change: Partial<JobRow>, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => change, work)
  }

  /** The last write: what `end` changes and says of the job, in one commit. */
  finish(end: (tx: Tx) => Promise<Partial<JobRow>>): Promise<void> {
    this.close()
    return this.#inTurn(end, (tx) =>
      this.#parts.events.record(tx, { type: 'Finished', resourceType: 'ApiJob', uuid: this.#held.uuid }),
    )
  }

  #inTurn<T>(change: (tx: Tx) => Promise<Partial<JobRow>>, work: (tx: Tx) => Promise<T>): Promise<T> {
    refuseInsideTransaction()
    return this.#writes.run(() => this.#patiently(() => this.#writeOwned(change, work)))
  }

  /** No more by itself; what is written still takes the lines along. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#flushTimer)
  }

  /** The last thing before the job is handed over; refused like any other write when it is no longer ours. */
  async leaveLines(): Promise<void> {
    this.close()
    await this.#writes.drain()
    if (!this.#lines.isEmpty)
      await this.#writeOwned(
        async () => ({}),
        async () => {},
      ).catch(() => {})
  }

  async #writeOwned<T>(change: (tx: Tx) => Promise<Partial<JobRow>>, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { database, store, clock } = this.#parts
    const lines = this.#lines.take()
    try {
      return await database.transaction(async (tx) => {
        const update = { ...(await change(tx)), progress: this.#progress, lastOpDate: clock.now() }
        if (!(await store.updateOwned(tx, this.#held, update))) throw new Detached('another process owns the job')
        await store.appendLog(tx, this.#held.uuid, lines)
        return work(tx)
      })
    } catch (error) {
      this.#lines.restore(lines)
      // the step learns of it now, not when the leases are renewed next
      if (error instanceof Detached) this.#detach.abort(error)
      throw error
    }
  }

  /** While the database is away, or its disk is full, it waits, as long as the job is ours. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.#detach.signal.throwIfAborted()
      try {
        return await work()
      } catch (error) {
        if (!isUnavailable(error)) throw error
      }
      await delay(databaseRetryMs, undefined, { signal: this.#detach.signal })
    }
  }

  #flushSoon(): void {
    if (this.#closed || this.#flushTimer !== undefined) return
    // a step may log while it writes; what is done later is no part of that transaction
    this.#flushTimer = outsideTransaction(() => setTimeout(() => this.#flush(), flushMs))
  }

  #flush(): void {
    this.#flushTimer = undefined
    this.save({}).catch(() => {}) // the lines are still here; the next write takes them along
  }
}
