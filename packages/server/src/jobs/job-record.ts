import { setTimeout as delay } from 'node:timers/promises'
import { outsideTransaction, refuseInsideTransaction, type Tx } from '@wharf/database/database.ts'
import { isUnavailable } from '@wharf/database/failures.ts'
import { SerialQueue } from '@wharf/platform/serial-queue.ts'
import { NotRecordedError } from '../audit/not-recorded.ts'
import { Detached } from './detached.ts'
import type { JobRow } from './job-row.ts'
import type { JobSource } from './job-source.ts'
import type { JobWrite } from './job-writes.ts'
import { type LineKind, LogBuffer, type LogLine } from './log-buffer.ts'
import { type ClaimedJob, updateOwned } from './owned-updates.ts'
import type { RunnerDeps } from './runner-deps.ts'

const flushMs = 250
export const databaseRetryMs = 500

/** Writes the row and the log of a job, as long as this run owns it. */
export class JobRecord {
  readonly #deps: RunnerDeps
  readonly #job: ClaimedJob
  readonly #source: JobSource
  readonly #detach: AbortController
  #lines = new LogBuffer(0)
  #progress: number
  #flushTimer: NodeJS.Timeout | undefined
  /** The current write and those queued behind it. */
  readonly #writes = new SerialQueue()
  #isClosed = false

  /** `detach` ends all writes; it is aborted here when a write finds that another process owns the job. */
  constructor(deps: RunnerDeps, { uuid, fence, progress }: JobRow, source: JobSource, detach: AbortController) {
    this.#deps = deps
    this.#job = { uuid, fence }
    this.#source = source
    this.#progress = progress
    this.#detach = detach
  }

  /** Continues the log of the previous owner: its line numbers, and the secrets that it masked. */
  async continueLog(concealed: readonly string[]): Promise<void> {
    const { logs } = this.#deps
    this.#lines = new LogBuffer(await this.#retryWhileUnavailable(() => logs.lastSequence(this.#job.uuid)), concealed)
  }

  log(line: string, kind: LineKind | null = null): void {
    this.#lines.add(this.#deps.clock.now(), line, kind)
    this.#flushSoon()
  }

  conceal(secret: string): void {
    this.#lines.conceal(secret)
  }

  get concealed(): readonly string[] {
    return this.#lines.concealed
  }

  /** Masks a line that a program has printed, which may be cut off. */
  maskLine(line: string): string {
    return this.#lines.maskLine(line)
  }

  mask(text: string): string {
    return this.#lines.mask(text)
  }

  /** The progress of the whole job; stored with the next write. */
  set progress(percent: number) {
    this.#progress = percent
    this.#flushSoon()
  }

  save(change: Partial<JobRow>): Promise<void> {
    return this.#enqueue((lines) => this.#save(lines, change))
  }

  /** A transaction of its own, because `work` may take long. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { database, logs, owner } = this.#deps
    const job = this.#job
    return this.#enqueue((lines) =>
      database.transaction(async (tx) => {
        const update = { job, change: this.#withProgress({}) }
        if ((await updateOwned(database.engine, tx, owner, [update])) === 0)
          throw new Detached('another process owns the job')
        logs.append(
          tx,
          lines.map((line) => ({ jobUuid: job.uuid, ...line })),
        )
        return work(tx)
      }),
    )
  }

  /** The last write: what `end` changes and returns for the job's row is one commit. */
  finish(end: JobWrite['change']): Promise<void> {
    this.close()
    const change: JobWrite['change'] = async (tx, earlier) => this.#withProgress(await end(tx, earlier))
    const shared = { job: this.#job, source: this.#source, event: 'Finished' as const, change }
    return this.#enqueue((lines) => this.#deps.writes.write({ ...shared, lines }))
  }

  #save(lines: readonly LogLine[], change: Partial<JobRow>): Promise<void> {
    const { writes } = this.#deps
    const shared = { job: this.#job, source: this.#source, event: 'Updated' as const, lines }
    return writes.write({ ...shared, change: async () => this.#withProgress(change) })
  }

  #withProgress(change: Partial<JobRow>): Partial<JobRow> {
    return { ...change, progress: this.#progress, lastOpDate: this.#deps.clock.now() }
  }

  /**
   * Every write of a job is fenced, includes the log lines so far, and is retried while the database is unavailable. Writes
   * run one at a time, so that lines are committed in order: a reader who has read line 7 does not query line 6.
   */
  #enqueue<T>(write: (lines: readonly LogLine[]) => Promise<T>): Promise<T> {
    refuseInsideTransaction()
    return this.#writes.run(() => this.#retryWhileUnavailable(() => this.#withLines(write)))
  }

  /** Ends the periodic writes; explicit ones still include the lines. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#flushTimer)
  }

  /** Writes the remaining lines before another process takes over; refused like any other write when it already has. */
  async flushLines(): Promise<void> {
    this.close()
    await this.#writes.drain()
    if (!this.#lines.isEmpty) await this.#withLines((lines) => this.#save(lines, {})).catch(() => {})
  }

  async #withLines<T>(write: (lines: readonly LogLine[]) => Promise<T>): Promise<T> {
    const lines = this.#lines.take()
    try {
      return await write(lines)
    } catch (error) {
      this.#lines.restore(lines)
      // stops the step now, not at the next renewal of the leases
      if (error instanceof Detached) this.#detach.abort(error)
      throw error
    }
  }

  /** Waits while the database is unavailable, its disk is full or no audit entry can be written, as long as this run owns the job. */
  async #retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.#detach.signal.throwIfAborted()
      try {
        return await work()
      } catch (error) {
        if (!isUnavailable(error) && !(error instanceof NotRecordedError)) throw error
      }
      await delay(databaseRetryMs, undefined, { signal: this.#detach.signal })
    }
  }

  #flushSoon(): void {
    if (this.#isClosed || this.#flushTimer !== undefined) return
    // a step may log inside its transaction; the later write is not part of that transaction
    this.#flushTimer = outsideTransaction(() => setTimeout(() => this.#flush(), flushMs))
  }

  #flush(): void {
    this.#flushTimer = undefined
    this.save({}).catch(() => {}) // the lines are still buffered; the next write includes them
  }
}
