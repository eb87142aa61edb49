import { getApiJob, getApiJobLog } from '@wharf/contract'
import type { WaitOptions } from '../call-types.ts'
import { type Following, followEvents } from '../events/reconnecting.ts'
import type { SharedChanges } from '../events/shared-changes.ts'
import { requireJson } from '../http/answer.ts'
import { operationRequest, queryOf } from '../http/operation-request.ts'
import { pause } from '../http/pause.ts'
import type { Transport } from '../http/transport.ts'
import type { JobStatus, Look } from './job-status.ts'
import { waitForEnd } from './waiting.ts'

export interface JobParts {
  readonly transport: Transport
  readonly changes: SharedChanges
  readonly cancel: (uuid: string) => Promise<unknown>
}

export interface LogOptions extends Following {
  follow?: boolean | undefined
}

/** When a job has ended, its last lines have so long to come. */
const lastLinesMs = 5000

/** A job of the server: what a long operation is made of. */
export class Job<Answer = Record<string, unknown>> {
  readonly uuid: string
  readonly #token: string | undefined
  readonly #parts: JobParts
  #status: JobStatus | undefined

  constructor(parts: JobParts, uuid: string, token?: string) {
    this.#parts = parts
    this.uuid = uuid
    this.#token = token
  }

  /** In percent, as it was last told. */
  get progress(): number {
    return this.#status?.progress ?? 0
  }

  /** The answer of its operation; throws its failure. */
  async wait(options: WaitOptions = {}): Promise<Answer> {
    const { signal, cancelOnAbort, onLog } = options
    const reading = new AbortController()
    const logRead = onLog && this.#tellLog(onLog, reading.signal)
    try {
      return await waitForEnd(this, this.#parts.changes, options)
    } catch (error) {
      if (cancelOnAbort && signal?.aborted) await this.cancel().catch(() => {})
      throw error
    } finally {
      // the last lines are what a failure is understood by
      if (logRead && !signal?.aborted) await Promise.race([logRead, pause(lastLinesMs, reading.signal).catch(() => {})])
      reading.abort()
    }
  }

  /** Asks it to stop and undo what it did; `wait` then throws SYS.1017. */
  async cancel(): Promise<void> {
    await this.#parts.cancel(this.uuid)
  }

  async look(signal?: AbortSignal): Promise<Look<Answer>> {
    const { transport } = this.#parts
    const { method, path } = operationRequest(getApiJob, { uuid: this.uuid })
    const answered = await transport.ask({
      method,
      path,
      ...this.#admission(),
      signal,
      jobUuid: this.uuid,
    })
    requireJson(transport.url, answered)
    const { status, body, headers } = answered
    const { success: _, error: __, ...fields } = body
    if (status !== 202) return { answer: fields as Answer }
    const running = fields as unknown as JobStatus
    // while the server cannot look it says so by a state of null
    if (running.state !== null) this.#status = running
    const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
    return Number.isFinite(retryAfter) ? { running, retryAfterMs: retryAfter * 1000 } : { running }
  }

  /** The lines of its log: those that are there, or with `follow` all until its end. */
  async *log({ follow = false, ...following }: LogOptions = {}): AsyncGenerator<string> {
    const { transport } = this.#parts
    const { path } = operationRequest(getApiJobLog, { uuid: this.uuid })
    const admission = this.#admission(follow ? [['follow', true]] : [])
    if (!follow) {
      const { text } = await transport.ask({ method: 'GET', path, ...admission, signal: following.signal })
      yield* text.split('\n').slice(0, -1)
      return
    }
    for await (const { event, data } of followEvents(transport, { path, ...admission, ...following })) {
      if (event === 'end') return
      yield data
    }
  }

  async #tellLog(onLog: (line: string) => void, signal: AbortSignal): Promise<void> {
    try {
      for await (const line of this.log({ follow: true, signal })) onLog(line)
    } catch {
      // what matters is how the job ends; its log can be read again
    }
  }

  /** The token of the location needs no other credential, and lasts as long as the job is known. */
  #admission(fields: readonly (readonly [string, unknown])[] = []) {
    const token = this.#token === undefined ? [] : [['token', this.#token] as const]
    return { query: queryOf([...fields, ...token]), isPublic: this.#token !== undefined }
  }
}
