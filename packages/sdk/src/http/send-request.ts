/** What this package reads of a response, by fetch or by node:http. */
export interface HttpResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: ResponseHeaders
  text(): Promise<string>
}

export type ResponseHeaders = Pick<Headers, 'get'>

export interface RequestInput {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Follows no redirect, and rejects with a TypeError when there is no response, as fetch does. */
export type SendRequest = (url: string, request: RequestInput) => Promise<HttpResponse>
