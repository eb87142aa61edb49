import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether the caller accepts a compressed response. */
export const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding'] ?? ''))

/** For caches: the response also varies by the accepted encoding. */
export const varyByEncoding = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter((word) => word !== undefined).join(', '))
