import type { WireError } from '@wharf/contract'
import { ConnectionError, type ErrorOrigin, isWireError, WharfError } from '../error.ts'

/** What came back, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty unless the text is a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, body: asJson(text) }
}

function asJson(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer['body']) : {}
  } catch {
    return {}
  }
}

const failureIn = ({ body }: Answer): WireError | undefined => (isWireError(body.error) ? body.error : undefined)

/**
 * Nobody was there to do it, so it may be asked again: 429, a gateway that found no server, a server that says it is not
 * ready, or one that slept while the request came (408). The 502, 503 or 504 of an operation, or of a job, is its result.
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
  return foreign(url, answer)
}

/** Nothing that a Wharf server would say. */
export function foreign(url: string, { status, headers }: Pick<Answer, 'status' | 'headers'>): ConnectionError {
  const location = headers.get('location')
  const where = status >= 300 && status < 400 && location ? `, to ${location}` : ''
  return new ConnectionError(`${url} answered ${status}${where}, which is no answer of a Wharf server`, { status })
}

/** A page with 200, such as a form to log in at a proxy, is none either. */
export function requireJson(url: string, answer: Answer): void {
  if (!/^\s*(\{|$)/.test(answer.text)) throw foreign(url, answer)
}
