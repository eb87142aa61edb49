import { type Log, logCall } from '@wharf/platform/log.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loggedPath } from './masked-path.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request arrived, by `performance.now()`. */
    arrivedAt: number
  }
}

export interface RequestLogDeps {
  readonly log: Log
  /** Observes every call except closed streams, for metrics. */
  readonly observe: (operation: string, status: number, seconds: number) => void
}

/** The status that proxies log when the caller disconnects before the response. */
const disconnectedStatus = 499

/** Logs every request once: when its response is sent, or when the caller disconnects before. */
export function logRequests(app: FastifyInstance, { log, observe }: RequestLogDeps): void {
  const record = (request: FastifyRequest, reply: FastifyReply): void => {
    // a response that was sent has released its connection
    const isDisconnected = reply.raw.socket !== null
    const ms = performance.now() - request.arrivedAt
    const operation = request.operation?.name ?? 'none'
    const isUnanswered = isDisconnected && !reply.raw.headersSent
    const status = isUnanswered ? disconnectedStatus : reply.statusCode
    // the duration of a closed stream is not the duration of a call
    if (!isDisconnected || isUnanswered) observe(operation, status, ms / 1000)
    logCall(log, {
      requestId: request.id,
      method: request.method,
      path: loggedPath(request, status),
      operation,
      status,
      ms: Math.round(ms * 10) / 10,
      user: request.caller?.userUuid,
      source: request.ip,
      forwardedTo: request.forwardedTo,
      hungUp: isDisconnected || undefined,
    })
  }

  app.decorateRequest('arrivedAt', 0)
  app.addHook('onRequest', (request, reply, done) => {
    request.arrivedAt = performance.now()
    reply.raw.on('close', () => record(request, reply))
    done()
  })
}
