import type { ClientRequest, IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { HttpResponse, RequestInput, SendRequest } from './send-request.ts'

/** Loads on demand, and only what is used: an import of node:http loads fetch too, and TLS takes as long as a request. */
const load = (name: string): object =>
  // the first is missing before Node 20.16, the second in a bundle of CommonJS
  process.getBuiltinModule?.(name) ?? createRequire(import.meta.url)(name)
/** The timeouts of fetch. */
const connectTimeoutMs = 10_000
const idleTimeoutMs = 300_000
/** The headers of fetch; some proxies refuse a request without them. */
const fetchHeaders = { accept: '*/*', 'user-agent': 'node' }

/**
 * Sends a request with node:http, which loads much faster than fetch: a short command consists mostly of loading. It uses
 * the certificates of the process, as fetch does, and its proxies where this version of Node supports that.
 */
export const sendRequest: SendRequest = (url, { body, ...request }) => {
  const call = openRequest(url, { ...request, headers: { 'accept-encoding': 'gzip', ...request.headers } })
  return readResponse(call.end(body), request.signal)
}

/** A request whose body is still to be written. */
export function openRequest(url: string, request: Omit<RequestInput, 'body'>): ClientRequest {
  const { request: open } = load(url.startsWith('https:') ? 'node:https' : 'node:http') as typeof import('node:http')
  const call = open(url, { ...request, headers: { ...fetchHeaders, ...request.headers }, timeout: connectTimeoutMs })
  return call
    .setTimeout(idleTimeoutMs)
    .on('timeout', () => call.destroy(new Error(`no activity for ${idleTimeoutMs / 1000} s`)))
}

/** The complete response. */
export async function readResponse(call: ClientRequest, signal: AbortSignal): Promise<HttpResponse> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      call.once('response', resolve).on('error', reject),
    )
    const { statusCode: status = 0, headers } = answer
    const text = await textOf(answer)
    return {
      ok: status >= 200 && status < 300,
      status,
      headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
      text: async () => text,
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw new TypeError((cause as Error).message, { cause })
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (answer.headers['content-encoding'] !== 'gzip' || bytes.length === 0) return bytes.toString()
  const { gunzip } = load('node:zlib') as typeof import('node:zlib')
  return new Promise((resolve, reject) =>
    gunzip(bytes, (error, unpacked) => (error ? reject(error) : resolve(unpacked.toString()))),
  )
}
