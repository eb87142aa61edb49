import { type Log, logCall } from '@wharf/platform/log.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loggedPath } from './masked-path.ts'

declare module 'fastify' {
  interface FastifyRequest {
    isLogged: boolean
  }
}

export interface CallLogParts {
  readonly log: Log
  /** Observes every call except closed streams, for metrics. */
  readonly observe: (operation: string, status: number, seconds: number) => void
}

/** The status that proxies log when the caller disconnects before the response. */
const hungUpStatus = 499

/** Logs every call once: when its response is sent, or when the caller disconnects before. */
export function logCalls(app: FastifyInstance, { log, observe }: CallLogParts): void {
  const record = (request: FastifyRequest, reply: FastifyReply, hungUp: boolean): void => {
    if (request.isLogged) return
    request.isLogged = true
    const operation = request.operation?.name ?? 'none'
    const isUnanswered = hungUp && !reply.raw.headersSent
    const status = isUnanswered ? hungUpStatus : reply.statusCode
    // the duration of a closed stream is not the duration of a call
    if (!hungUp || isUnanswered) observe(operation, status, reply.elapsedTime / 1000)
    logCall(log, {
      requestId: request.id,
      method: request.method,
      path: loggedPath(request, status),
      operation,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.caller?.userUuid,
      source: request.ip,
      handedTo: request.handedTo,
      hungUp: hungUp || undefined,
    })
  }

  app.decorateRequest('isLogged', false)
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => record(request, reply, true))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply, false)
    done()
  })
}
