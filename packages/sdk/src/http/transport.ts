import type { CorrectedClock } from '../clock.ts'
import { ConnectionError, type ErrorOrigin, WharfError } from '../error.ts'
import { type Answer, isUnavailable, readAnswer, toError } from './answer.ts'
import { type Credential, nobody } from './credentials.ts'
import { pause } from './pause.ts'
import { Attempts, type RetryLimits, retryAfterMs } from './retry.ts'

export interface TransportOptions {
  /** The address of the API, without `/v1`. */
  readonly url: string
  readonly credential: Credential
  /** Others wait for the first answer: it may tell what is wrong with the clock, and many failures lock a key out. */
  readonly firstAlone: boolean
  readonly fetch: typeof fetch
  readonly clock: CorrectedClock
  readonly retry: RetryLimits
  /** No answer after this long counts as none. */
  readonly answerMs: number
  readonly explain: ErrorOrigin['explain']
}

export interface Request {
  readonly method: string
  /** From `/v1`, escaped. */
  readonly path: string
  /** Without the question mark. */
  readonly query?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Nobody's, where something in the query is the credential. */
  readonly isPublic?: boolean | undefined
  /** Whose failure is told. */
  readonly jobUuid?: string | undefined
}

type Read<T> = (response: Response) => Promise<T>

/** Requests that are signed, repeated when nobody answered, and end in an answer or an error. */
export class Transport {
  readonly url: string
  readonly #options: TransportOptions
  #firstAnswer: Promise<unknown> | undefined
  #timeZone: string | undefined

  constructor(options: TransportOptions) {
    this.url = options.url
    this.#options = options
  }

  get fetch(): typeof fetch {
    return this.#options.fetch
  }

  get retry(): RetryLimits {
    return this.#options.retry
  }

  /** Of the times in the responses; undefined before the first one. */
  get timeZone(): string | undefined {
    return this.#timeZone
  }

  /** Throws unless the answer is a success. */
  ask(request: Request): Promise<Answer> {
    return this.#inTurn(request, readAnswer)
  }

  /** A success whose body is read as it comes. */
  open(request: Request): Promise<Response> {
    return this.#inTurn(request, async (response) => response)
  }

  #inTurn<T>(request: Request, read: Read<T>): Promise<T> {
    if (!this.#options.firstAlone || request.isPublic) return this.#repeated(request, read)
    if (this.#firstAnswer) return this.#firstAnswer.then(() => this.#repeated(request, read))
    const answer = this.#repeated(request, read)
    this.#firstAnswer = answer.catch(() => {})
    return answer
  }

  async #repeated<T>(request: Request, read: Read<T>): Promise<T> {
    const { retry, clock } = this.#options
    const attempts = new Attempts(retry)
    const credential = request.isPublic ? nobody : this.#options.credential
    for (let isMended = false; ; ) {
      const proof = await credential.headers(request.method, request.path)
      const outcome = await this.#once(request, proof, read)
      if ('success' in outcome) return outcome.success
      if ('refusal' in outcome) {
        if (isMended || !(await credential.mend(outcome.refusal, proof))) throw outcome.refusal
        isMended = true
        continue
      }
      const { unavailable, headers } = outcome
      const pauseMs = attempts.nextPauseMs(headers && retryAfterMs(headers, clock.now()))
      if (pauseMs === undefined) throw unavailable
      await pause(pauseMs, request.signal)
    }
  }

  async #once<T>(request: Request, proof: Record<string, string>, read: Read<T>): Promise<Outcome<T>> {
    const { signal, jobUuid } = request
    const { answerMs, explain } = this.#options
    const url = `${this.url}${request.path}${request.query ? `?${request.query}` : ''}`
    signal?.throwIfAborted()
    // by hand: a timer of AbortSignal.timeout would also end a stream that has long begun
    const attempt = new AbortController()
    const stop = (): void => attempt.abort(signal?.reason)
    const timer = setTimeout(() => attempt.abort(new Error(`no answer within ${answerMs / 1000} s`)), answerMs)
    signal?.addEventListener('abort', stop, { once: true })
    let isStream = false
    try {
      const response = await this.#fetch(url, request, proof, attempt.signal)
      if (response.ok) {
        this.#timeZone = response.headers.get('x-time-zone') ?? 'UTC'
        const success = await read(response)
        isStream = success === (response as unknown)
        return { success }
      }
      const answer = await readAnswer(response)
      const error = toError(answer, this.url, { jobUuid, explain })
      if (isUnavailable(answer)) return { unavailable: error, headers: answer.headers }
      if (answer.status !== 401 || !(error instanceof WharfError)) throw error
      return { refusal: error }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof WharfError || cause instanceof ConnectionError) throw cause
      return { unavailable: new ConnectionError(`${this.url} cannot be reached: ${reasonOf(cause)}`, { cause }) }
    } finally {
      clearTimeout(timer)
      // the signal stays with a stream: it ends the reading
      if (!isStream) signal?.removeEventListener('abort', stop)
    }
  }

  #fetch(url: string, request: Request, proof: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const { method, headers, body } = request
    const type = body === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }
    // called by its bare name: browsers insist on it
    const { fetch } = this.#options
    return fetch(url, {
      method,
      headers: { ...type, ...headers, ...proof },
      signal,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
    })
  }
}

type Outcome<T> =
  | { readonly success: T }
  /** A credential that the server does not know, or not any more. */
  | { readonly refusal: WharfError }
  | { readonly unavailable: WharfError | ConnectionError; readonly headers?: Headers }

/** fetch says only that it failed; why stands in its cause. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown }
  const { message: inner, code } = (cause ?? {}) as { message?: string; code?: string }
  return inner || code || message || String(error)
}
