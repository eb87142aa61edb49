import { guardedRequest } from '@wharf/downloads/guarded-request.ts'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { ChatPlatform, OutgoingRequest, VendorResponse, Verdict } from './platforms/chat-platform.ts'

export interface SendOptions {
  readonly signal: AbortSignal
  readonly allow: readonly Cidr[]
  readonly caFile: string | undefined
  readonly requestMs: number
  /** The same in a retry, so that a receiver can recognize it. */
  readonly idempotencyKey: string
  readonly clock: Clock
}

/** Vendors respond with one line. */
const maxAnswerBytes = 64 * 1024

/** Sends one request and judges the response. Throws only when the signal is aborted. */
export async function send(platform: ChatPlatform, request: OutgoingRequest, options: SendOptions): Promise<Verdict> {
  try {
    return platform.judge(await exchange(request, options))
  } catch (error) {
    options.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    // a forbidden address stays forbidden
    return { kind: error.code === 'SYS.1015' ? 'retry' : 'dead', reason: error.message }
  }
}

async function exchange(request: OutgoingRequest, options: SendOptions): Promise<VendorResponse> {
  const { signal, allow, caFile, requestMs, idempotencyKey, clock } = options
  const url = new URL(request.url)
  const { response } = await guardedRequest(url, {
    method: 'POST',
    headers: { ...request.headers, 'idempotency-key': idempotencyKey },
    body: request.body,
    signal,
    allow,
    caFile,
    connectTimeoutMs: requestMs,
    idleTimeoutMs: requestMs,
  })
  const limit = setTimeout(() => response.destroy(new Error('the answer takes too long')), requestMs)
  using _listening = onAbort(signal, () => void response.destroy())
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxAnswerBytes) break
    }
  } catch (cause) {
    throw new ApiError('SYS.1015', `the answer of ${url.origin} broke off`, { cause })
  } finally {
    clearTimeout(limit)
    response.destroy()
  }
  const body = Buffer.concat(chunks).toString()
  return { status: response.statusCode ?? 0, headers: textHeaders(response.headers), body, receivedAt: clock.now() }
}

const textHeaders = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
