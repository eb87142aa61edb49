import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsBrotli, acceptsGzip, varyByEncoding } from './send.ts'

/** Faster than gzip at level 9, and smaller; the highest quality takes most of a second for a large file. */
const brotliQuality = 6

/** A response that is the same for every request, plain and compressed. */
export class CachedResponse {
  readonly type: string
  readonly plain: Buffer
  readonly etag: string
  #gzip: Buffer | undefined
  #brotli: Buffer | undefined

  constructor(type: string, plain: Buffer) {
    this.type = type
    this.plain = plain
    this.etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  }

  // each when it is first requested: most clients use only one of them

  get gzip(): Buffer {
    this.#gzip ??= gzipSync(this.plain, { level: 9 })
    return this.#gzip
  }

  get brotli(): Buffer {
    const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
    this.#brotli ??= brotliCompressSync(this.plain, { params })
    return this.#brotli
  }
}

/** Created at the first request to keep the start fast. */
export function cacheLazily(type: string, read: () => Buffer): () => CachedResponse {
  let cached: CachedResponse | undefined
  return () => {
    cached ??= new CachedResponse(type, read())
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
  response: CachedResponse,
  { contentSecurityPolicy, cacheControl = 'no-cache' }: CacheRules,
): FastifyReply {
  const { type, etag } = response
  varyByEncoding(reply).headers({
    etag,
    'cache-control': cacheControl,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type(type)
  if (acceptsBrotli(request)) return reply.header('content-encoding', 'br').send(response.brotli)
  return acceptsGzip(request)
    ? reply.header('content-encoding', 'gzip').send(response.gzip)
    : reply.send(response.plain)
}
