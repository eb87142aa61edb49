import { type Log, logCall } from '@wharf/platform/log.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loggedPath } from './masked-path.ts'

declare module 'fastify' {
  interface FastifyRequest {
    isTold: boolean
  }
}

export interface CallLogParts {
  readonly log: Log
  /** Told of every call but streams that are left, for metrics. */
  readonly observe: (operation: string, status: number, seconds: number) => void
}

/** As proxies write it down when a caller has hung up before there was an answer. */
const hungUpStatus = 499

/** Tells of every call once: when its answer is out, or when the caller has hung up before. */
export function tellOfCalls(app: FastifyInstance, { log, observe }: CallLogParts): void {
  const tell = (request: FastifyRequest, reply: FastifyReply, hungUp: boolean): void => {
    if (request.isTold) return
    request.isTold = true
    const operation = request.operation?.name ?? 'none'
    const isUnanswered = hungUp && !reply.raw.headersSent
    const status = isUnanswered ? hungUpStatus : reply.statusCode
    // a stream that is left says nothing of how long calls take
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

  app.decorateRequest('isTold', false)
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => tell(request, reply, true))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    tell(request, reply, false)
    done()
  })
}
