import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route handles pages of any origin itself. */
    allowsAnyOrigin?: boolean
  }
}

const allowedHeaders =
  'Authorization, Signature-Input, Signature, Content-Digest, Content-Type, X-Date, X-Job-UUID, X-JSON-Schema, X-API-Timeout, Idempotency-Key, Prefer, Last-Event-ID'
const exposedHeaders = 'X-Request-Id, Location, Retry-After, X-Job-Success, Preference-Applied, X-Time-Zone'
const preflightSeconds = 600

/** Pages of the configured origins may call the API. Returns true after it has answered a preflight. */
export function crossOrigin(origins: readonly string[]): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const allowed = new Set(origins)
  if (allowed.size === 0) return () => false
  return (request, reply) => {
    if (request.routeOptions.config?.allowsAnyOrigin) return false
    reply.header('vary', 'origin')
    const { origin } = request.headers
    if (origin === undefined || !(allowed.has(origin) || allowed.has('*'))) return false
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposedHeaders)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
    void reply
      .code(200)
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header('access-control-allow-headers', allowedHeaders)
      .header('access-control-max-age', String(preflightSeconds))
      .send()
    return true
  }
}
