import { type ConnectionError, WharfError } from '../error.ts'
import { type Answer, isUnavailable, readAnswer, toError } from '../http/answer.ts'
import type { Slice } from './source.ts'

/** So long a server may take to say where an upload stands; it may be at work on a slice. */
const standingMs = 120_000
/** So long a slice may take: 64 MiB at half a megabit per second. */
const sliceMs = 20 * 60_000

const version = { 'tus-resumable': '1.0.0' }

/** The words of tus 1.0.0, as far as they are needed to send slices. Each is one request; nothing is repeated here. */
export class TusAddress {
  readonly #url: string
  readonly #fetch: typeof fetch

  constructor(url: string, fetch: typeof globalThis.fetch) {
    this.#url = url
    this.#fetch = fetch
  }

  /** How many bytes the server has. */
  async offset(signal: AbortSignal): Promise<number> {
    try {
      return this.#offsetIn(await this.#ask({ method: 'HEAD', headers: version, signal: within(standingMs, signal) }))
    } catch (error) {
      if (!(error instanceof TusRefusal) || error.mayGoOn) throw error
      // an answer to HEAD has no words: a slice of nothing is refused for the same reason, and told why
      return this.append(0, { body: new Uint8Array(), bytes: 0, isLast: false }, undefined, signal)
    }
  }

  /** Sends one slice; how many bytes the server has then. */
  async append(offset: number, slice: Slice, length: number | undefined, signal: AbortSignal): Promise<number> {
    const headers = {
      ...version,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...(length === undefined ? {} : { 'upload-length': String(length) }),
    }
    const { body } = slice
    const request = { method: 'PATCH', headers, signal: within(sliceMs, signal) }
    if ('send' in body) return this.#offsetIn(await this.#read(await body.send(this.#url, request)))
    // a stream is sent while it is read, which has to be said
    const halfDuplex = body instanceof ReadableStream ? ({ duplex: 'half' } as const) : {}
    return this.#offsetIn(await this.#ask({ ...request, body, ...halfDuplex }))
  }

  /** Gives it up: the server forgets what it has. */
  async terminate(): Promise<void> {
    await this.#ask({ method: 'DELETE', headers: version })
  }

  #offsetIn({ headers }: Answer): number {
    const offset = Number(headers.get('upload-offset') ?? Number.NaN)
    if (!Number.isSafeInteger(offset)) throw new Error('the server does not say how far the upload is')
    return offset
  }

  async #ask(init: RequestInit): Promise<Answer> {
    const fetch = this.#fetch
    return this.#read(await fetch(this.#url, { ...init, redirect: 'manual', credentials: 'omit', cache: 'no-store' }))
  }

  async #read(response: Response): Promise<Answer> {
    const answer = await readAnswer(response)
    if (!response.ok) throw new TusRefusal(answer, toError(answer, this.#url.split('?')[0] ?? '', {}))
    return answer
  }
}

const within = (ms: number, signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ms)])

/** Carries the answer, by which it is decided whether to go on. */
export class TusRefusal extends Error {
  readonly error: WharfError | ConnectionError
  readonly #answer: Answer

  constructor(answer: Answer, error: WharfError | ConnectionError) {
    super(error.message)
    this.#answer = answer
    this.error = error
  }

  get headers(): Headers {
    return this.#answer.headers
  }

  /** There is nothing to send to any more: it is complete, or has failed. */
  get isOver(): boolean {
    return this.#answer.status === 410
  }

  /** A slice that broke off, or an offset that is another one: whoever asks for it can go on. */
  get mayGoOn(): boolean {
    const { error } = this
    // the whole has another digest than announced: that is its end
    if (error instanceof WharfError && error.code === 'SoftwarePackage.1132') return false
    const isAboutSlice = error instanceof WharfError && [400, 409].includes(this.#answer.status)
    return isAboutSlice || this.#answer.status === 408 || isUnavailable(this.#answer)
  }
}
