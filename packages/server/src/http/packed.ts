import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether the caller takes an answer packed. */
export const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding'] ?? ''))

/** For caches: besides what it varies by already, the answer depends on whether the caller takes it packed. */
export const variesByPacking = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter((word) => word !== undefined).join(', '))
