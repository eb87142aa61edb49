import type { WireError } from '@wharf/contract'
import { ConnectionError, type ErrorOrigin, isWireError, WharfError } from '../error.ts'
import type { HttpResponse, ResponseHeaders } from './send-request.ts'

/** A complete response. */
export interface Answer {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly text: string
  /** Empty unless the text is a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export async function readAnswer(response: HttpResponse): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, body: parseObject(text) }
}

function parseObject(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer['body']) : {}
  } catch {
    return {}
  }
}

const failureIn = ({ body }: Answer): WireError | undefined => (isWireError(body.error) ? body.error : undefined)

/**
 * True when the server has not executed the request, so a retry is safe: 408, 429, a gateway without a backend, or a
 * server that is not ready. A 502, 503 or 504 of an operation or a job is its result.
 */
export function isUnavailable(answer: Answer): boolean {
  const { status, headers } = answer
  if (status === 408 || status === 429) return true
  if (![502, 503, 504].includes(status) || headers.get('x-job-success') !== null) return false
  const failure = failureIn(answer)
  return failure === undefined || failure.code === 'SYS.1010'
}

export function toError(
  answer: Answer,
  url: string,
  origin: Omit<ErrorOrigin, 'status'>,
): WharfError | ConnectionError {
  const { status, headers } = answer
  const failure = failureIn(answer)
  if (failure)
    return new WharfError(failure, { requestId: headers.get('x-request-id') ?? undefined, ...origin, status })
  return foreignAnswerError(url, answer)
}

/** For a response that no Wharf server sends. */
export function foreignAnswerError(
  url: string,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
): ConnectionError {
  const location = headers.get('location')
  const target = status >= 300 && status < 400 && location ? ` (redirect to ${location})` : ''
  return new ConnectionError(`${url} responded with ${status}${target}, which is not a response of a Wharf server`, {
    status,
  })
}

/** A proxy may return a login page with status 200. */
export function requireJson(url: string, answer: Answer): void {
  if (!/^\s*(\{|$)/.test(answer.text)) throw foreignAnswerError(url, answer)
}
