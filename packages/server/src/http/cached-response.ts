import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, varyByEncoding } from './send.ts'

/** A response that is the same for every request, plain and compressed. */
export interface CachedResponse {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly etag: string
}

export const cacheResponse = (type: string, plain: Buffer): CachedResponse => ({
  type,
  plain,
  gzip: gzipSync(plain, { level: 9 }),
  etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
})

/** Created at the first request to keep the start fast. */
export function cacheLazily(type: string, read: () => Buffer): () => CachedResponse {
  let cached: CachedResponse | undefined
  return () => {
    cached ??= cacheResponse(type, read())
    return cached
  }
}

export interface CacheRules {
  readonly contentSecurityPolicy: string
  /** Revalidated at every use, unless the name contains a hash of the content. */
  readonly cacheControl?: string
}

export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzip, etag }: CachedResponse,
  { contentSecurityPolicy, cacheControl = 'no-cache' }: CacheRules,
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
