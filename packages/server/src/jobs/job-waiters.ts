import { setImmediate as nextTurn } from 'node:timers/promises'
import { isActiveJob } from '@wharf/contract'
import { onAbort } from '@wharf/platform/abort.ts'
import { notFound } from '@wharf/platform/api-error.ts'
import type { JobRow } from './job-row.ts'
import type { JobRunner } from './runner.ts'
import type { RunnerDeps } from './runner-deps.ts'

/** Finds the end of a job whose notification was lost. */
const waitPollMs = 2000

interface JobWaitersDeps extends Pick<RunnerDeps, 'store' | 'events'> {
  readonly runner: Pick<JobRunner, 'isRunningJob'>
}

/** Callers that wait for the ends of jobs. */
export class JobWaiters {
  readonly #deps: JobWaitersDeps
  readonly #waiting = new Map<string, Set<() => void>>()
  /** The jobs that are read at the end of this turn of the event loop. */
  #reading: { readonly uuids: Set<string>; readonly rows: Promise<ReadonlyMap<string, JobRow>> } | undefined

  constructor(deps: JobWaitersDeps) {
    this.#deps = deps
  }

  start(): void {
    const { events } = this.#deps
    const wake = ({ resourceType, type, uuid }: { resourceType: string; type: string; uuid: string }): void => {
      if (resourceType === 'ApiJob' && type === 'Finished') this.#wake(uuid)
    }
    // a job of this node right after its commit, one of another node with its event
    events.subscribeToThisNode(wake)
    events.subscribe(wake)
  }

  /** The row once the job has ended, or the current row at the timeout or when the signal is aborted. */
  async wait(uuid: string, timeoutMs: number, signal?: AbortSignal): Promise<JobRow> {
    // not by the time of day, which may be changed meanwhile
    const until = performance.now() + timeoutMs
    let isAwake = false
    let resume = (): void => {}
    const wake = (): void => {
      isAwake = true
      resume()
    }
    const stopListening = this.#onFinish(uuid, wake)
    using _listening = onAbort(signal, wake)
    try {
      for (;;) {
        const isOver = until - performance.now() <= 0 || signal?.aborted
        // a job that this node is running has not ended
        if (isOver || isAwake || !this.#deps.runner.isRunningJob(uuid)) {
          // before the query, so that an end during the query is noticed
          isAwake = false
          const row = await this.#read(uuid)
          if (isOver || !isActiveJob(row.state)) return row
          if (isAwake) continue
        }
        const left = until - performance.now()
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(Math.max(left, 0), waitPollMs))
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    } finally {
      stopListening()
    }
  }

  /** Jobs that end together are read by one query. */
  async #read(uuid: string): Promise<JobRow> {
    this.#reading ??= this.#readTogether()
    const { uuids, rows } = this.#reading
    uuids.add(uuid)
    const row = (await rows).get(uuid)
    if (row === undefined) throw notFound('job', uuid)
    return row
  }

  #readTogether() {
    const uuids = new Set<string>()
    const read = async (): Promise<ReadonlyMap<string, JobRow>> => {
      await nextTurn()
      this.#reading = undefined
      return new Map((await this.#deps.store.findAll([...uuids])).map((row) => [row.uuid, row]))
    }
    return { uuids, rows: read() }
  }

  #onFinish(uuid: string, wake: () => void): () => void {
    const waiters = this.#waiting.get(uuid) ?? new Set()
    this.#waiting.set(uuid, waiters)
    waiters.add(wake)
    return () => {
      waiters.delete(wake)
      if (waiters.size === 0) this.#waiting.delete(uuid)
    }
  }

  #wake(uuid: string): void {
    for (const wake of [...(this.#waiting.get(uuid) ?? [])]) wake()
  }
}
