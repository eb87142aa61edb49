import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request as sendRequest } from 'node:http'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { failureMessage } from './failure-message.ts'
import { standardIdleTimeoutMs } from './received-bytes.ts'
import { firstHop, type Hop, nextHop } from './redirects.ts'
import { releaseReceived } from './release-received.ts'

export interface RequestOptions extends ConnectionOptions {
  readonly method?: 'GET' | 'POST'
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  /** Data for this address alone: a redirect is not followed. */
  readonly staysHere?: boolean
  /** For the whole head of the response, and for each pause within its body. */
  readonly idleTimeoutMs?: number
}

export interface Answer {
  /** Nothing of its body was read yet. Destroying it closes the connection. */
  readonly response: IncomingMessage
  /** The address that responded, after redirects. */
  readonly url: URL
}

const maxRedirects = 5
const followed = new Set([301, 302, 303, 307, 308])

/**
 * One request to an address that a caller names. Every hop is checked when it connects, without a proxy or a connection
 * pool. A GET follows redirects; a POST does not, since its body is meant for one address. Errors contain only the origin
 * of the address: chat services have secrets in the path.
 */
export async function guardedRequest(url: URL, options: RequestOptions): Promise<Answer> {
  let hop = firstHop(url)
  for (let redirects = 0; ; redirects++) {
    const response = await send(hop, options)
    const { statusCode = 0 } = response
    if (!followed.has(statusCode) || options.method === 'POST' || options.staysHere) return { response, url: hop.url }
    response.destroy()
    const { location } = response.headers
    if (location === undefined)
      throw new ApiError('SYS.1015', `${hop.url.origin} answered ${statusCode} without a location`)
    if (redirects === maxRedirects)
      throw new ApiError('SYS.1015', `${url.origin} redirects more than ${maxRedirects} times`)
    hop = nextHop(hop, location)
  }
}

async function send(hop: Hop, options: RequestOptions): Promise<IncomingMessage> {
  const { signal, idleTimeoutMs = standardIdleTimeoutMs } = options
  const socket = await openConnection(hop.url, options)
  const limit = AbortSignal.timeout(idleTimeoutMs)
  try {
    const request = sendRequest({
      method: options.method ?? 'GET',
      path: `${hop.url.pathname}${hop.url.search}`,
      headers: headersOf(hop, options),
      // without an agent: the connection is for this request alone
      createConnection: () => socket,
    })
    request.on('error', () => {})
    const answered = once(request, 'response', { signal: AbortSignal.any([signal, limit]) })
    // a response that changes the protocol is closed
    const closed = once(request, 'close').then((): never => {
      throw Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })
    })
    request.end(options.body)
    const [response] = (await Promise.race([answered, closed])) as [IncomingMessage]
    releaseReceived(response)
    return response
  } catch (cause) {
    socket.destroy()
    signal.throwIfAborted()
    const why = limit.aborted ? `it did not answer within ${idleTimeoutMs / 1000} s` : failureMessage(cause)
    throw new ApiError('SYS.1015', `the request to ${hop.url.origin} failed: ${why}`, { cause })
  }
}

const headersOf = ({ url, authorization }: Hop, { headers, body }: RequestOptions): OutgoingHttpHeaders => ({
  accept: '*/*',
  // the bytes of the file, not an encoding of the server
  'accept-encoding': 'identity',
  'user-agent': 'Wharf',
  ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
  ...headers,
  host: url.host,
  ...(authorization === undefined ? {} : { authorization }),
})
