import { sendRequest } from '#send-request'
import type { CorrectedClock } from '../clock.ts'
import { ConnectionError, type ErrorOrigin, WharfError } from '../error.ts'
import { sleep } from './abortable.ts'
import { type Answer, isUnavailable, readAnswer, toError } from './answer.ts'
import { anonymous, type Credential } from './credentials.ts'
import { fetchSettings, platformFetch } from './platform-fetch.ts'
import { Attempts, type RetryLimits, retryAfterMs } from './retry.ts'
import type { HttpResponse, RequestInput, ResponseHeaders } from './send-request.ts'

export interface TransportOptions {
  /** The address of the API, without `/v1`. */
  readonly url: string
  readonly credential: Credential
  /** Later requests wait for the first response: it may correct the clock, and many failures lock an access key. */
  readonly waitsForFirstResponse: boolean
  readonly fetch: typeof fetch
  readonly usesNodeHttp: boolean
  readonly userAgent: string | undefined
  readonly clock: CorrectedClock
  readonly retry: RetryLimits
  /** A request without a response fails after this time. */
  readonly responseTimeoutMs: number
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
  /** Sends no credential: the operation is public, or the query contains a token. */
  readonly isPublic?: boolean | undefined
  /** The job whose failure the response may contain. */
  readonly jobUuid?: string | undefined
}

/** Of one request: the scheme of its signature, and the time in it. */
const maxRecoveries = 2

/** How a request is sent, and what becomes of a successful response. */
interface Exchange<R extends HttpResponse, T> {
  send(url: string, input: RequestInput): Promise<R>
  read(response: R): Promise<T>
  /** The body is still unread. */
  readonly isStream?: boolean
}

/** Signs requests, retries them while the server is unavailable, and returns an answer or throws. */
export class Transport {
  readonly url: string
  readonly #options: TransportOptions
  readonly #byFetch: Exchange<Response, unknown>['send']
  #firstResponse: Promise<unknown> | undefined
  #timeZone: string | undefined

  constructor(options: TransportOptions) {
    this.url = options.url
    this.#options = options
    // browsers require the unbound name
    const { fetch } = options
    this.#byFetch = (url, input) => fetch(url, { ...input, ...fetchSettings })
  }

  get fetch(): typeof fetch {
    return this.#options.fetch
  }

  get retry(): RetryLimits {
    return this.#options.retry
  }

  /** The zone of the times in responses; undefined before the first one. */
  get timeZone(): string | undefined {
    return this.#timeZone
  }

  /** Throws unless the response is a success. */
  send(request: Request): Promise<Answer> {
    const send = this.#options.usesNodeHttp && this.fetch === platformFetch ? sendRequest : this.#byFetch
    return this.#enqueue(request, { send, read: readAnswer })
  }

  /** Returns a successful response whose body is still unread. */
  open(request: Request): Promise<Response> {
    return this.#enqueue(request, { send: this.#byFetch, read: async (response) => response, isStream: true })
  }

  #enqueue<R extends HttpResponse, T>(request: Request, exchange: Exchange<R, T>): Promise<T> {
    if (!this.#options.waitsForFirstResponse || request.isPublic) return this.#retry(request, exchange)
    if (this.#firstResponse) return this.#firstResponse.then(() => this.#retry(request, exchange))
    const answer = this.#retry(request, exchange)
    this.#firstResponse = answer.catch(() => {})
    return answer
  }

  async #retry<R extends HttpResponse, T>(request: Request, exchange: Exchange<R, T>): Promise<T> {
    const { retry, clock } = this.#options
    const attempts = new Attempts(retry)
    const credential = request.isPublic ? anonymous : this.#options.credential
    const url = `${this.url}${request.path}${request.query ? `?${request.query}` : ''}`
    const signable = { method: request.method, path: request.path, url, body: request.body }
    for (let recoveries = 0; ; ) {
      const authentication = await credential.headers(signable)
      const outcome = await this.#attempt(url, request, authentication, exchange)
      if ('success' in outcome) return outcome.success
      if ('refusal' in outcome) {
        const { refusal } = outcome
        if (recoveries >= maxRecoveries || !(await credential.recover(refusal, authentication, signable))) throw refusal
        recoveries++
        continue
      }
      const { unavailable, headers } = outcome
      const pauseMs = attempts.nextPauseMs(headers && retryAfterMs(headers, clock.now()))
      if (pauseMs === undefined) throw unavailable
      await sleep(pauseMs, request.signal)
    }
  }

  async #attempt<R extends HttpResponse, T>(
    url: string,
    request: Request,
    authentication: Record<string, string>,
    { send, read, isStream = false }: Exchange<R, T>,
  ): Promise<Outcome<T>> {
    const { signal, jobUuid } = request
    const { responseTimeoutMs, explain } = this.#options
    signal?.throwIfAborted()
    // AbortSignal.timeout would also abort the body of an open stream
    const attempt = new AbortController()
    const stop = (): void => attempt.abort(signal?.reason)
    const onTimeout = (): void => attempt.abort(new Error(`no response within ${responseTimeoutMs / 1000} s`))
    const timer = setTimeout(onTimeout, responseTimeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    let isOpen = false
    try {
      const response = await send(url, this.#input(request, authentication, attempt.signal))
      if (response.ok) {
        this.#timeZone = response.headers.get('x-time-zone') ?? 'UTC'
        isOpen = isStream
        return { success: await read(response) }
      }
      const answer = await readAnswer(response)
      const error = toError(answer, this.url, { jobUuid, explain })
      if (isUnavailable(answer)) return { unavailable: error, headers: answer.headers }
      if (answer.status !== 401 || !(error instanceof WharfError)) throw error
      return { refusal: error }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof WharfError || cause instanceof ConnectionError) throw cause
      return { unavailable: new ConnectionError(`cannot reach ${this.url}: ${failureReason(cause)}`, { cause }) }
    } finally {
      clearTimeout(timer)
      // the signal also aborts the body of a stream
      if (!isOpen) signal?.removeEventListener('abort', stop)
    }
  }

  #input(
    { method, headers, body }: Request,
    authentication: Record<string, string>,
    signal: AbortSignal,
  ): RequestInput {
    const { userAgent } = this.#options
    const client = userAgent === undefined ? {} : { 'user-agent': userAgent }
    const type = body === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }
    const content = body === undefined ? {} : { body }
    return { method, headers: { ...client, ...type, ...headers, ...authentication }, signal, ...content }
  }
}

type Outcome<T> =
  | { readonly success: T }
  /** The server does not accept the credential. */
  | { readonly refusal: WharfError }
  | { readonly unavailable: WharfError | ConnectionError; readonly headers?: ResponseHeaders }

/** The message of fetch is generic; its cause has the reason. */
export function failureReason(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown }
  const { message: inner, code } = (cause ?? {}) as { message?: string; code?: string }
  return inner || code || message || String(error)
}
