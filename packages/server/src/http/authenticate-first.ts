import { normalizeUuid, pathParameters } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { anonymousCaller, type Caller } from '../calls/caller.ts'
import { authoriseAny } from './authorise.ts'
import { refuseWebHook } from './call-options.ts'
import { rawQuery, type ServedBinding } from './exchange.ts'
import { readSignedMessage } from './rfc9421-headers.ts'
import type { RouteDeps } from './route-deps.ts'

/** In callback style: with a cached credential the call does not leave the tick. */
export function authenticateFirst(
  bindings: readonly [ServedBinding, ...ServedBinding[]],
  { authenticate, draining, settings }: RouteDeps,
) {
  const [binding] = bindings
  const { operation, admits } = binding
  const extendsSession = operation.extendsSession ?? true
  const pathVariables = pathParameters(operation.path)
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    request.operation = operation
    request.isOperationKnown = bindings.length === 1
    const params = request.params as Record<string, string>
    for (const name of pathVariables) params[name] = normalizeUuid(params[name] ?? '')
    try {
      refuseWebHook(request.headers)
    } catch (error) {
      done(error as Error)
      return
    }
    if (draining.aborted) {
      done(new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 }))
      return
    }
    if (operation.permission === 'public' || admits?.(params, rawQuery(request))) {
      request.caller = anonymousCaller
      done()
      return
    }
    const { authorization, date, 'x-date': xDate } = request.headers
    const url = request.raw.url ?? ''
    const end = url.indexOf('?')
    try {
      const message = authorization === undefined ? readSignedMessage(request, settings) : undefined
      const admit = (caller: Caller): void => {
        // set before authorisation: later failures are failures after authentication
        request.caller = caller
        request.signedMessage = message
        authoriseAny(bindings, caller, request)
      }
      const caller = authenticate(
        {
          authorization,
          date: typeof xDate === 'string' ? xDate : date,
          method: request.method,
          path: end < 0 ? url : url.slice(0, end),
          message,
          source: request.ip,
        },
        extendsSession,
      )
      if (caller instanceof Promise) {
        caller.then(admit).then(() => done(), done)
        return
      }
      admit(caller)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}
