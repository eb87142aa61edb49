import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureText } from './failures.ts'

const compress = promisify(gzip)
/** Below this the header costs more than it saves. */
const minCompressedLength = 2048

export const jsonType = 'application/json;charset=UTF-8'

/** Browsers must treat a response as data. */
export const jsonPolicy = "default-src 'none'; frame-ancestors 'none'"

/** On every response; pages set their own policy. */
export const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': jsonPolicy,
}

/** Not cached. */
const jsonHeaders = {
  'content-type': jsonType,
  'cache-control': 'no-store',
}

/** The reply, or a promise while work is pending. (A reply itself can be awaited until it is sent.) */
export type Sent = FastifyReply | Promise<unknown>

/** What is left to wait for. A promise of the reply itself would wait until it is sent. */
export const pendingOf = (sent: Sent): Promise<unknown> | undefined => (sent instanceof Promise ? sent : undefined)

/** Sends every JSON response. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, status: number, text: string): Sent {
  reply.code(status).headers(jsonHeaders)
  if (text.length < minCompressedLength || !acceptsGzip(request)) return reply.send(text)
  varyByEncoding(reply).header('content-encoding', 'gzip')
  return compress(text).then((packed) => reply.send(packed))
}

export interface FailureSettings {
  readonly authSchemes: readonly string[]
  readonly errorAlone?: boolean
}

export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: ApiError, settings: FailureSettings) {
  if (error.status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header(
      'www-authenticate',
      ['OAuth', ...settings.authSchemes].map((scheme) => `${scheme} realm="wharf"`).join(', '),
    )
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  return sendJson(request, reply, error.status, failureText(error, request.id, settings.errorAlone))
}

/** A weight of 0 forbids an encoding. */
function accepts(encoding: string): (request: FastifyRequest) => boolean {
  const accepted = new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i')
  return ({ headers }) => accepted.test(String(headers['accept-encoding'] ?? ''))
}

export const acceptsGzip = accepts('gzip')
export const acceptsBrotli = accepts('br')

/** For caches: the response also varies by the accepted encoding. */
export const varyByEncoding = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter((word) => word !== undefined).join(', '))
