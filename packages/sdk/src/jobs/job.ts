import { getApiJob, getApiJobLog } from '@wharf/contract'
import type { WaitOptions } from '../call-types.ts'
import { type FollowOptions, followEvents } from '../events/follow-events.ts'
import type { SharedChanges } from '../events/shared-changes.ts'
import { withTimeout } from '../http/abortable.ts'
import { requireJson } from '../http/answer.ts'
import { operationRequest, queryOf } from '../http/operation-request.ts'
import type { Transport } from '../http/transport.ts'
import type { JobPoll, JobStatus } from './job-status.ts'
import { waitForJob } from './wait-for-job.ts'

export interface JobDependencies {
  readonly transport: Transport
  readonly changes: SharedChanges
  readonly cancel: (uuid: string) => Promise<unknown>
}

export interface LogOptions extends FollowOptions {
  follow?: boolean | undefined
  /** Each line starts with its time, in UTC with milliseconds, and a space. */
  timestamps?: boolean | undefined
  /** With `follow`: starts after the line with this number. */
  after?: number | undefined
}

/** How long to wait for the last log lines of a finished job. */
const lastLinesMs = 5000

/** A long-running operation on the server. */
export class Job<Answer = Record<string, unknown>> {
  readonly uuid: string
  readonly #token: string | undefined
  readonly #dependencies: JobDependencies
  #status: JobStatus | undefined

  constructor(dependencies: JobDependencies, uuid: string, token?: string) {
    this.#dependencies = dependencies
    this.uuid = uuid
    this.#token = token
  }

  /** The last known progress, in percent. */
  get progress(): number {
    return this.#status?.progress ?? 0
  }

  /** Waits for the answer of the operation; throws its failure. */
  async wait(options: WaitOptions = {}): Promise<Answer> {
    const { signal, cancelOnAbort, onLog, timestamps } = options
    const reading = new AbortController()
    const logRead = onLog && this.#forwardLog(onLog, { signal: reading.signal, timestamps })
    try {
      return await waitForJob(this, this.#dependencies.changes, options)
    } catch (error) {
      if (cancelOnAbort && signal?.aborted) await this.cancel().catch(() => {})
      throw error
    } finally {
      // the last lines usually explain a failure
      if (logRead && !signal?.aborted) await withTimeout(logRead, lastLinesMs)
      reading.abort()
    }
  }

  /** Cancels the job, which then undoes its steps; `wait` throws SYS.1017. */
  async cancel(): Promise<void> {
    await this.#dependencies.cancel(this.uuid)
  }

  /** Queries the job once. */
  async poll(signal?: AbortSignal): Promise<JobPoll<Answer>> {
    const { transport } = this.#dependencies
    const { method, path } = operationRequest(getApiJob, { uuid: this.uuid })
    const response = await transport.send({
      method,
      path,
      ...this.#authorization(),
      signal,
      jobUuid: this.uuid,
    })
    requireJson(transport.url, response)
    const { status, body, headers } = response
    const { success: _, error: __, ...fields } = body
    if (status !== 202) return { answer: fields as Answer }
    const running = fields as unknown as JobStatus
    // the state is null while the server cannot read it
    if (running.state !== null) this.#status = running
    const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
    return Number.isFinite(retryAfter) ? { running, retryAfterMs: retryAfter * 1000 } : { running }
  }

  /** @deprecated Use `poll`. */
  look(signal?: AbortSignal): Promise<JobPoll<Answer>> {
    return this.poll(signal)
  }

  /** The lines of the log: the existing ones, or with `follow` all until the job ends. */
  async *log({ follow = false, timestamps = false, after, ...options }: LogOptions = {}): AsyncGenerator<string> {
    const { transport } = this.#dependencies
    const { path } = operationRequest(getApiJobLog, { uuid: this.uuid })
    const fields = Object.entries({ follow, timestamps }).filter(([, isSet]) => isSet)
    const authorization = this.#authorization(fields)
    if (!follow) {
      const { text } = await transport.send({ method: 'GET', path, ...authorization, signal: options.signal })
      yield* text.split('\n').slice(0, -1)
      return
    }
    const lastEventId = after === undefined ? undefined : String(after)
    for await (const { event, data } of followEvents(transport, { path, lastEventId, ...authorization, ...options })) {
      if (event === 'end') return
      yield data
    }
  }

  async #forwardLog(onLog: (line: string) => void, options: LogOptions): Promise<void> {
    try {
      for await (const line of this.log({ follow: true, ...options })) onLog(line)
    } catch {
      // a broken log stream must not hide the result of the job
    }
  }

  /** The token in the location replaces other credentials. */
  #authorization(fields: readonly (readonly [string, unknown])[] = []) {
    const token = this.#token === undefined ? [] : [['token', this.#token] as const]
    return { query: queryOf([...fields, ...token]), isPublic: this.#token !== undefined }
  }
}
