import type { AnswerOf, ErrorCode, getElaborations, WireError } from '@wharf/contract'

export type ElaborationContent = AnswerOf<typeof getElaborations>['contents'][number]
export type Language = 'en' | 'zh'

/** What an error means, in words for people. */
export interface Elaboration {
  readonly text: string
  readonly content: ElaborationContent
}

export interface ErrorOrigin {
  readonly status: number
  readonly requestId?: string | undefined
  readonly jobUuid?: string | undefined
  /** Asks the server what it means. */
  readonly explain?: ((error: WharfError) => Promise<ElaborationContent | undefined>) | undefined
}

/** The server has refused a call, or its job has failed. */
export class WharfError extends Error {
  override readonly name: string = 'WharfError'
  /** Of the catalogue; a newer server may have more. */
  readonly code: ErrorCode
  readonly description: string
  readonly details: string
  readonly status: number
  readonly requestId: string | undefined
  /** Whose failure it is, when it was a job's. */
  readonly jobUuid: string | undefined
  readonly #explain: ErrorOrigin['explain']

  constructor({ code, description, details, cause }: WireError, origin: ErrorOrigin) {
    const { status, requestId, jobUuid, explain } = origin
    super(`${code} ${description}: ${details}`, cause ? { cause: new WharfError(cause, { status, explain }) } : {})
    this.code = code
    this.description = description
    this.details = details
    this.status = status
    this.requestId = requestId
    this.jobUuid = jobUuid
    this.#explain = explain
  }

  /** The likely cause and what to do about it; undefined when nobody has written that down, or it cannot be asked. */
  async elaboration(language: Language = 'en'): Promise<Elaboration | undefined> {
    const content = await this.#explain?.(this)
    if (content === undefined) return undefined
    const { message_en: english, message_cn: chinese } = content
    const text = language === 'zh' ? (chinese ?? english) : (english ?? chinese)
    return text === null ? undefined : { text, content }
  }
}

/** Said by proxies while the server is away, or overrun. */
const gatewayStatuses: readonly number[] = [408, 429, 502, 503, 504]

/** There was no answer, or none that a Wharf server would give; however often it was tried. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** Of the last answer, when there was one. */
  readonly status: number | undefined

  constructor(message: string, { cause, status }: { cause?: unknown; status?: number } = {}) {
    super(message, { cause })
    this.status = status
  }

  /** Somebody has answered who is no Wharf server: another address, or a page of a proxy that wants a login. */
  get isForeign(): boolean {
    return this.status !== undefined && !gatewayStatuses.includes(this.status)
  }
}

/** The upload cannot go on, for a reason on this side: its file has changed, or its stream cannot be read again. */
export class UploadError extends Error {
  override readonly name = 'UploadError'
}

export const isWireError = (value: unknown): value is WireError =>
  typeof value === 'object' && value !== null && typeof (value as WireError).code === 'string'
