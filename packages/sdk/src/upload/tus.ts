import { type ConnectionError, WharfError } from '../error.ts'
import { type Answer, isUnavailable, readAnswer, toError } from '../http/answer.ts'
import { fetchSettings } from '../http/platform-fetch.ts'
import type { HttpResponse, ResponseHeaders } from '../http/send-request.ts'
import type { Slice } from './byte-source.ts'

/** The server may still be writing a slice when it receives a HEAD request. */
const offsetTimeoutMs = 120_000
/** 64 MiB at half a megabit per second. */
const sliceTimeoutMs = 20 * 60_000

const version = { 'tus-resumable': '1.0.0' }

/** The tus 1.0.0 requests that send slices, without retries. */
export class TusUpload {
  readonly #url: string
  readonly #fetch: typeof fetch

  constructor(url: string, fetch: typeof globalThis.fetch) {
    this.#url = url
    this.#fetch = fetch
  }

  /** The number of bytes that the server has. */
  async offset(signal: AbortSignal): Promise<number> {
    try {
      const answer = await this.#send({
        method: 'HEAD',
        headers: version,
        signal: withDeadline(offsetTimeoutMs, signal),
      })
      return offsetIn(answer)
    } catch (error) {
      if (!(error instanceof TusRefusal) || error.isResumable) throw error
      // a HEAD response has no body: an empty slice is refused for the same reason, with an error text
      return this.append(0, { body: new Uint8Array(), bytes: 0, isLast: false }, undefined, signal)
    }
  }

  /** Sends one slice; returns the number of bytes that the server has. */
  async append(offset: number, slice: Slice, length: number | undefined, signal: AbortSignal): Promise<number> {
    const headers = {
      ...version,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...(length === undefined ? {} : { 'upload-length': String(length) }),
    }
    const { body } = slice
    const request = { method: 'PATCH', headers, signal: withDeadline(sliceTimeoutMs, signal) }
    if ('send' in body) return offsetIn(await this.#read(await body.send(this.#url, request)))
    // fetch requires this for a stream
    const halfDuplex = body instanceof ReadableStream ? ({ duplex: 'half' } as const) : {}
    return offsetIn(await this.#send({ ...request, body, ...halfDuplex }))
  }

  /** Deletes the upload and its bytes on the server. */
  async terminate(): Promise<void> {
    await this.#send({ method: 'DELETE', headers: version })
  }

  async #send(init: RequestInit): Promise<Answer> {
    const fetch = this.#fetch
    return this.#read(await fetch(this.#url, { ...init, ...fetchSettings }))
  }

  async #read(response: HttpResponse): Promise<Answer> {
    const answer = await readAnswer(response)
    if (!response.ok) throw new TusRefusal(answer, toError(answer, this.#url.split('?')[0] ?? '', {}))
    return answer
  }
}

function offsetIn({ headers }: Answer): number {
  const offset = Number(headers.get('upload-offset') ?? Number.NaN)
  if (!Number.isSafeInteger(offset)) throw new Error('the response has no valid Upload-Offset header')
  return offset
}

const withDeadline = (ms: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)])

/** An error response; its status decides whether the upload can resume. */
export class TusRefusal extends Error {
  readonly error: WharfError | ConnectionError
  readonly #answer: Answer

  constructor(answer: Answer, error: WharfError | ConnectionError) {
    super(error.message)
    this.#answer = answer
    this.error = error
  }

  get headers(): ResponseHeaders {
    return this.#answer.headers
  }

  /** The upload is complete, or has failed. */
  get isEnded(): boolean {
    return this.#answer.status === 410
  }

  /** A partial slice or an offset mismatch: the upload resumes at the server's offset. */
  get isResumable(): boolean {
    const { error } = this
    // a digest mismatch ends the upload
    if (error instanceof WharfError && error.code === 'SoftwarePackage.1132') return false
    const isAboutSlice = error instanceof WharfError && [400, 409].includes(this.#answer.status)
    return isAboutSlice || this.#answer.status === 408 || isUnavailable(this.#answer)
  }
}
