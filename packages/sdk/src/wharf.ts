import { type AnswerOf, cancelApiJob, type FieldsOf, logInByAccount, logInByUser } from '@wharf/contract'
import { type AuditExportOptions, readAuditDigests, streamAuditExport } from './audit-export.ts'
import type { CallableOperation, InputOf, JobCallOptions, StartOptions } from './call-types.ts'
import { type Clock, CorrectedClock } from './clock.ts'
import { elaborate } from './elaborate.ts'
import { type Change, type EventsOptions, followChanges } from './events/changes.ts'
import { SharedChanges } from './events/shared-changes.ts'
import type { Groups } from './generated-types.ts'
import { createGroups } from './groups.ts'
import { randomHex } from './hex.ts'
import { type AccessKey, accessKeyCredential } from './http/access-key-credential.ts'
import { type Answer, requireJson } from './http/answer.ts'
import {
  anonymous,
  type Credential,
  type Login,
  renewableCredential,
  type SessionSource,
  sessionCredential,
} from './http/credentials.ts'
import { operationRequest } from './http/operation-request.ts'
import { platformFetch } from './http/platform-fetch.ts'
import { defaultRetry, type RetryLimits } from './http/retry.ts'
import { type Request, Transport } from './http/transport.ts'
import { Job, type JobDependencies } from './jobs/job.ts'
import { toDate } from './to-date.ts'
import { Upload, type UploadOptions, type UploadSource } from './upload/upload.ts'

export interface WharfOptions {
  /** `https://wharf.example.com`, with or without the API prefix; in a page also a path such as `/wharf`. */
  url: string
  /** The uuid of a session, or a function that returns one and is called again when that session has ended. */
  session?: string | SessionSource | undefined
  accessKey?: AccessKey | undefined
  /** Signs in with the first call, and again when the session has expired. */
  login?: Login | undefined
  fetch?: typeof fetch | undefined
  /** For short programs: in Node, calls are sent with node:http, which loads much faster than fetch. */
  usesNodeHttp?: boolean | undefined
  /** The name of the program, in sessions and audit entries; a browser sends its own. */
  userAgent?: string | undefined
  clock?: Clock | undefined
  retry?: Partial<RetryLimits> | undefined
  /** For servers with another word than Service in the Authorization header; selects the scheme `service` of access keys. */
  authScheme?: string | undefined
}

export type Started<A> =
  | { readonly job: Job<A>; readonly answer?: undefined }
  | { readonly job?: undefined; readonly answer: A }

/** Longer than any call that is not a job. */
const responseTimeoutMs = 120_000

export interface Wharf extends Groups {}

/** The client of a Wharf server. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor creates the groups from the same list
export class Wharf {
  readonly url: string
  readonly #transport: Transport
  readonly #jobs: JobDependencies

  constructor(options: WharfOptions) {
    if (AbortSignal.any === undefined || globalThis.crypto === undefined)
      throw new Error('@wharf/sdk needs Node 20.3 or newer, or a browser of 2024 or newer')
    const clock = new CorrectedClock(options.clock ?? Date)
    this.url = normalizeUrl(options.url)
    this.#transport = new Transport({
      url: this.url,
      credential: this.#credentialOf(options, clock),
      waitsForFirstResponse: options.accessKey !== undefined,
      fetch: options.fetch ?? platformFetch,
      usesNodeHttp: options.usesNodeHttp ?? false,
      userAgent: options.userAgent,
      clock,
      retry: { ...defaultRetry, ...options.retry },
      responseTimeoutMs,
      explain: (error) => elaborate((...parameters) => this.call(...parameters), error),
    })
    this.#jobs = {
      transport: this.#transport,
      changes: new SharedChanges(this.#transport),
      cancel: (uuid) => this.call(cancelApiJob, { uuid }),
    }
    Object.assign(
      this,
      createGroups((...parameters) => this.call(...parameters)),
    )
  }

  /** Calls any operation of the contract, and waits for its job if it starts one. */
  async call<O extends CallableOperation>(
    operation: O,
    input: InputOf<O>,
    options: JobCallOptions = {},
  ): Promise<AnswerOf<O>> {
    const result = await this.#send(operation, input, options)
    return result instanceof Job ? result.wait(options) : result
  }

  /** Calls an operation without waiting: returns its job, or its answer if it starts none. */
  async start<O extends CallableOperation>(
    operation: O,
    input: InputOf<O>,
    options: StartOptions = {},
  ): Promise<Started<AnswerOf<O>>> {
    const result = await this.#send(operation, input, options)
    return result instanceof Job ? { job: result } : { answer: result }
  }

  /** A handle of an existing job. */
  job<A = Record<string, unknown>>(uuid: string): Job<A> {
    return new Job<A>(this.#jobs, uuid)
  }

  /** The zone of the server's times; undefined before its first response. */
  get timeZone(): string | undefined {
    return this.#transport.timeZone
  }

  /** Parses a time of the server, such as `Nov 5, 2026 1:02:03 AM`. */
  toDate(text: string): Date {
    const { timeZone } = this
    if (timeZone === undefined)
      throw new Error(
        'the time zone of the server is unknown; call the server first, or use toDate(text, { timeZone })',
      )
    return toDate(text, { timeZone })
  }

  /** Streams changes of records; reconnects automatically. */
  events(options: EventsOptions = {}): AsyncGenerator<Change> {
    return followChanges(this.#transport, options)
  }

  /** Streams the entries of the audit trail, in the order of the chain. */
  exportAuditEntries(options: AuditExportOptions = {}): AsyncGenerator<Uint8Array> {
    return streamAuditExport(this.#transport, options)
  }

  /** The digests that prove an export of the period, one JSON object per line. Read them before the entries. */
  exportAuditDigests(options: Pick<AuditExportOptions, 'from' | 'signal'> = {}): Promise<string> {
    return readAuditDigests(this.auditDigests, options)
  }

  /** Starts a resumable upload of a package to a host or to backup storage. */
  upload(source: UploadSource, options: UploadOptions): Upload {
    return new Upload(this, this.#transport, source, options)
  }

  /** Sends a raw request: `request({ method: 'GET', path: '/v1/hosts' })`. Throws like any call. */
  request(request: Omit<Request, 'isPublic' | 'jobUuid'>): Promise<Answer> {
    const key = request.method === 'GET' ? {} : { 'idempotency-key': randomHex() }
    const [path = '', ...queries] = request.path.split('?')
    // the scheme `service` signs the path without the query
    const query = [...queries, request.query].filter(Boolean).join('&')
    return this.#transport.send({ ...request, path, query, headers: { ...key, ...request.headers } })
  }

  async #send<O extends CallableOperation>(
    operation: O,
    input: InputOf<O>,
    { signal, idempotencyKey = randomHex(), jobTimeoutSeconds }: StartOptions,
  ): Promise<Job<AnswerOf<O>> | AnswerOf<O>> {
    const isRepeatable = operation.method !== 'GET' && operation.repeatable !== false
    const headers = {
      ...(isRepeatable ? { 'idempotency-key': idempotencyKey } : {}),
      // proxies cut requests that stay open; the job returns the same answer
      ...(operation.mode === 'job' ? { prefer: 'respond-async' } : {}),
      ...(jobTimeoutSeconds === undefined ? {} : { 'x-api-timeout': String(jobTimeoutSeconds) }),
    }
    const request = operationRequest(operation, input)
    const isPublic = operation.permission === 'public'
    const response = await this.#transport.send({ ...request, headers, signal, isPublic })
    requireJson(this.url, response)
    const { status, body } = response
    if (status === 202) return this.#jobAt<AnswerOf<O>>(String(body.location))
    const { success: _, error: __, ...answer } = body
    return answer as AnswerOf<O>
  }

  /** Ignores the host in the location: the server may not know the address under which this client reaches it. */
  #jobAt<A>(location: string): Job<A> {
    const { pathname, searchParams } = new URL(location)
    const uuid = pathname.split('/').at(-1) ?? ''
    return new Job<A>(this.#jobs, uuid, searchParams.get('token') ?? undefined)
  }

  #credentialOf({ session, accessKey, login, authScheme }: WharfOptions, clock: CorrectedClock): Credential {
    if ([session, accessKey, login].filter((value) => value !== undefined).length > 1)
      throw new TypeError('pass only one of session, accessKey and login')
    if (typeof session === 'function') return renewableCredential(session)
    if (session !== undefined) return sessionCredential(session)
    if (accessKey !== undefined) return accessKeyCredential(accessKey, clock, authScheme)
    return login === undefined ? anonymous : renewableCredential(() => this.#logIn(login))
  }

  async #logIn(login: Login): Promise<string> {
    const { inventory } =
      'userName' in login
        ? await this.call(logInByUser, login)
        : await this.call(logInByAccount, login as FieldsOf<typeof logInByAccount>)
    return inventory.uuid
  }
}

/** Removes a trailing slash and `/v1`, with which every path begins. */
function normalizeUrl(url: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href
  if (!URL.canParse(url, page)) throw new TypeError(`invalid url ${url}: use an address such as http://127.0.0.1:8080`)
  const { origin, pathname, protocol } = new URL(url, page)
  if (!/^https?:$/.test(protocol)) throw new TypeError(`invalid url ${url}: it must begin with http:// or https://`)
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}
