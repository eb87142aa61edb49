import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, varyByEncoding } from './accepted-encoding.ts'

/** A text prepared for many responses. */
export interface Prepared {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly etag: string
}

export const prepare = (type: string, plain: Buffer): Prepared => ({
  type,
  plain,
  gzip: gzipSync(plain, { level: 9 }),
  etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
})

/** Prepared at the first request to keep the start fast. */
export function prepareLater(type: string, read: () => Buffer): () => Prepared {
  let prepared: Prepared | undefined
  return () => {
    prepared ??= prepare(type, read())
    return prepared
  }
}

export interface SendingRules {
  readonly contentSecurityPolicy: string
  /** Revalidated at every use, unless the name contains a hash of the content. */
  readonly cacheControl?: string
}

export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzip, etag }: Prepared,
  { contentSecurityPolicy, cacheControl = 'no-cache' }: SendingRules,
): FastifyReply {
  varyByEncoding(reply).headers({
    etag,
    'cache-control': cacheControl,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type(type)
  return acceptsGzip(request) ? reply.header('content-encoding', 'gzip').send(gzip) : reply.send(plain)
}
