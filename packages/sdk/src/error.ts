import { type AnswerOf, type ErrorCode, type getElaborations, isWrongCredential, type WireError } from '@wharf/contract'

export type ElaborationContent = AnswerOf<typeof getElaborations>['contents'][number]
export type Language = 'en' | 'zh'

/** An explanation of an error for people. */
export interface Elaboration {
  readonly text: string
  readonly content: ElaborationContent
}

export interface ErrorOrigin {
  readonly status: number
  readonly requestId?: string | undefined
  readonly jobUuid?: string | undefined
  /** Queries the server for an explanation. */
  readonly explain?: ((error: WharfError) => Promise<ElaborationContent | undefined>) | undefined
}

/** The server refused a call, or its job failed. */
export class WharfError extends Error {
  override readonly name: string = 'WharfError'
  /** A code of the catalogue; a newer server may return others. */
  readonly code: ErrorCode
  readonly description: string
  readonly details: string
  /** With ID.1007 the challenge of the second factor; otherwise null. */
  readonly opaque: WireError['opaque']
  readonly status: number
  readonly requestId: string | undefined
  /** The failed job, if any. */
  readonly jobUuid: string | undefined
  readonly #explain: ErrorOrigin['explain']

  constructor({ code, description, details, opaque, cause }: WireError, origin: ErrorOrigin) {
    const { status, requestId, jobUuid, explain } = origin
    super(`${code} ${description}: ${details}`, cause ? { cause: new WharfError(cause, { status, explain }) } : {})
    this.code = code
    this.description = description
    this.details = details
    this.opaque = opaque
    this.status = status
    this.requestId = requestId
    this.jobUuid = jobUuid
    this.#explain = explain
  }

  /** The name and password, or the access key and its secret, do not match; false for other failures of ID.1000. */
  get isWrongCredential(): boolean {
    return isWrongCredential(this)
  }

  /** The likely cause and the remedy; undefined when the catalogue has none or the server is unreachable. */
  async elaboration(language: Language = 'en'): Promise<Elaboration | undefined> {
    const content = await this.#explain?.(this)
    if (content === undefined) return undefined
    const { message_en: english, message_cn: chinese } = content
    const text = language === 'zh' ? (chinese ?? english) : (english ?? chinese)
    return text === null ? undefined : { text, content }
  }
}

/** An error that the client detects itself, with the code that the server would return. */
export const createWharfError = (code: ErrorCode, status: number, description: string, details: string): WharfError =>
  new WharfError({ code, description, details, elaboration: null, opaque: null, cause: null }, { status })

/** Proxies return these while the server is unavailable or overloaded. */
const gatewayStatuses: readonly number[] = [408, 429, 502, 503, 504]

/** No response after all retries, or a response that no Wharf server sends. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** The status of the last response, if any. */
  readonly status: number | undefined

  constructor(message: string, { cause, status }: { cause?: unknown; status?: number } = {}) {
    super(message, { cause })
    this.status = status
  }

  /** Another server responded: the address is wrong, or a proxy requires a login. */
  get isForeign(): boolean {
    return this.status !== undefined && !gatewayStatuses.includes(this.status)
  }
}

/** The upload failed for a local reason: its file changed, or its stream cannot be read again. */
export class UploadError extends Error {
  override readonly name = 'UploadError'
}

export const isWireError = (value: unknown): value is WireError =>
  typeof value === 'object' && value !== null && typeof (value as WireError).code === 'string'
