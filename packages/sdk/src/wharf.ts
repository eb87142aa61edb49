import { type AnswerOf, cancelApiJob, type FieldsOf, logInByAccount, logInByUser } from '@wharf/contract'
import type { CallableOperation, InputOf, JobCallOptions, StartOptions } from './call-types.ts'
import { type Clock, CorrectedClock } from './clock.ts'
import { elaborate } from './elaborate.ts'
import { type Change, changes, type EventsOptions } from './events/changes.ts'
import { SharedChanges } from './events/shared-changes.ts'
import { type Groups, groupsOf } from './groups.ts'
import { type Answer, requireJson } from './http/answer.ts'
import { type AccessKey, type Credential, type Login, nobody, session, signing, signingIn } from './http/credentials.ts'
import { operationRequest } from './http/operation-request.ts'
import { platformFetch } from './http/platform-fetch.ts'
import { defaultRetry, type RetryLimits } from './http/retry.ts'
import { type Request, Transport } from './http/transport.ts'
import { Job, type JobParts } from './jobs/job.ts'
import { randomHex } from './random.ts'
import { toDate } from './to-date.ts'
import { Upload, type UploadOptions, type UploadSource } from './upload/upload.ts'

export interface WharfOptions {
  /** `https://wharf.example.com`, with or without the prefix of the API; in a page also a path such as `/wharf`. */
  url: string
  /** The uuid of a session. */
  session?: string | undefined
  accessKey?: AccessKey | undefined
  /** Signs in when the first call needs it, and again when the session has ended. */
  login?: Login | undefined
  fetch?: typeof fetch | undefined
  clock?: Clock | undefined
  retry?: Partial<RetryLimits> | undefined
  /** The word before the id of an access key; servers that take another one say so. */
  authScheme?: string | undefined
}

export type Started<A> =
  | { readonly job: Job<A>; readonly answer?: undefined }
  | { readonly job?: undefined; readonly answer: A }

/** Longer than any call takes that is not a job. */
const answerMs = 120_000

export interface Wharf extends Groups {}

/** The client of a Wharf server. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor makes the groups, from the same list
export class Wharf {
  readonly url: string
  readonly #transport: Transport
  readonly #jobs: JobParts

  constructor(options: WharfOptions) {
    if (AbortSignal.any === undefined || globalThis.crypto === undefined)
      throw new Error('@wharf/sdk needs Node 20.3 or newer, or a browser of 2024 or newer')
    const clock = new CorrectedClock(options.clock ?? Date)
    this.url = apiAddress(options.url)
    this.#transport = new Transport({
      url: this.url,
      credential: this.#credentialOf(options, clock),
      firstAlone: options.accessKey !== undefined,
      fetch: options.fetch ?? platformFetch,
      clock,
      retry: { ...defaultRetry, ...options.retry },
      answerMs,
      explain: (error) => elaborate((...given) => this.call(...given), error),
    })
    this.#jobs = {
      transport: this.#transport,
      changes: new SharedChanges(this.#transport),
      cancel: (uuid) => this.call(cancelApiJob, { uuid }),
    }
    Object.assign(
      this,
      groupsOf((...given) => this.call(...given)),
    )
  }

  /** Any operation of the contract. A long one is waited for. */
  async call<O extends CallableOperation>(
    operation: O,
    input: InputOf<O>,
    options: JobCallOptions = {},
  ): Promise<AnswerOf<O>> {
    const begun = await this.#begin(operation, input, options)
    return begun instanceof Job ? begun.wait(options) : begun
  }

  /** A long operation, without waiting for it: its job, or its answer when there is nothing to wait for. */
  async start<O extends CallableOperation>(
    operation: O,
    input: InputOf<O>,
    options: StartOptions = {},
  ): Promise<Started<AnswerOf<O>>> {
    const begun = await this.#begin(operation, input, options)
    return begun instanceof Job ? { job: begun } : { answer: begun }
  }

  /** One that was started elsewhere. */
  job<A = Record<string, unknown>>(uuid: string): Job<A> {
    return new Job<A>(this.#jobs, uuid)
  }

  /** The zone of every time that the server sends; undefined before its first response. */
  get timeZone(): string | undefined {
    return this.#transport.timeZone
  }

  /** A time of the server, such as `Nov 5, 2026 1:02:03 AM`, as an instant. */
  toDate(text: string): Date {
    const { timeZone } = this
    if (timeZone === undefined)
      throw new Error(
        'the time zone of the server is not known yet; call the server first, or use toDate(text, { timeZone })',
      )
    return toDate(text, { timeZone })
  }

  /** What changes on the server, as it happens; connects anew when it has to. */
  events(options: EventsOptions = {}): AsyncGenerator<Change> {
    return changes(this.#transport, options)
  }

  /** Brings a package to a host or to backup storage, in slices that can be resumed. It begins at once. */
  upload(source: UploadSource, options: UploadOptions): Upload {
    return new Upload(this, this.#transport, source, options)
  }

  /** A call of your own making: `request({ method: 'GET', path: '/v1/hosts' })`. Failures are thrown all the same. */
  request(request: Omit<Request, 'isPublic' | 'jobUuid'>): Promise<Answer> {
    const key = request.method === 'GET' ? {} : { 'idempotency-key': randomHex() }
    const [path = '', ...queries] = request.path.split('?')
    // a path may bring its query along; what is signed is the path alone
    const query = [...queries, request.query].filter(Boolean).join('&')
    return this.#transport.ask({ ...request, path, query, headers: { ...key, ...request.headers } })
  }

  async #begin<O extends CallableOperation>(
    operation: O,
    input: InputOf<O>,
    { signal, idempotencyKey = randomHex(), jobTimeoutSeconds }: StartOptions,
  ): Promise<Job<AnswerOf<O>> | AnswerOf<O>> {
    const isRepeatable = operation.method !== 'GET' && operation.repeatable !== false
    const headers = {
      ...(isRepeatable ? { 'idempotency-key': idempotencyKey } : {}),
      // held calls are cut by proxies; the job tells the same
      ...(operation.mode === 'job' ? { prefer: 'respond-async' } : {}),
      ...(jobTimeoutSeconds === undefined ? {} : { 'x-api-timeout': String(jobTimeoutSeconds) }),
    }
    const request = operationRequest(operation, input)
    const isPublic = operation.permission === 'public'
    const answered = await this.#transport.ask({ ...request, headers, signal, isPublic })
    requireJson(this.url, answered)
    const { status, body } = answered
    if (status === 202) return this.#jobAt<AnswerOf<O>>(String(body.location))
    const { success: _, error: __, ...answer } = body
    return answer as AnswerOf<O>
  }

  /** The host in the location is the server's idea of its address; ours has just worked. */
  #jobAt<A>(location: string): Job<A> {
    const { pathname, searchParams } = new URL(location)
    const uuid = pathname.split('/').at(-1) ?? ''
    return new Job<A>(this.#jobs, uuid, searchParams.get('token') ?? undefined)
  }

  #credentialOf({ session: uuid, accessKey, login, authScheme }: WharfOptions, clock: CorrectedClock): Credential {
    if ([uuid, accessKey, login].filter((given) => given !== undefined).length > 1)
      throw new TypeError('give a session, an access key or a login, not several of them')
    if (uuid !== undefined) return session(uuid)
    if (accessKey !== undefined) return signing(accessKey, clock, authScheme)
    return login === undefined ? nobody : signingIn(() => this.#logIn(login))
  }

  async #logIn(login: Login): Promise<string> {
    const { inventory } =
      'userName' in login
        ? await this.call(logInByUser, login)
        : await this.call(logInByAccount, login as FieldsOf<typeof logInByAccount>)
    return inventory.uuid
  }
}

/** Without the slash at its end, and without `/v1`, which every path begins with. */
function apiAddress(url: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href
  if (!URL.canParse(url, page)) throw new TypeError(`url must be an address such as http://127.0.0.1:8080, not ${url}`)
  const { origin, pathname, protocol } = new URL(url, page)
  if (!/^https?:$/.test(protocol)) throw new TypeError(`url must begin with http:// or https://, not ${protocol}`)
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}
