import type { Operation } from '@wharf/contract'
import { type ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymousCaller, type Caller } from '../calls/caller.ts'
import { authenticateFirst } from './authenticate-first.ts'
import { authorise, authoriseWithBody } from './authorise.ts'
import type { ServedBinding } from './exchange.ts'
import type { RouteDeps } from './route-deps.ts'
import { serve } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    operation: Operation | undefined
    /** Why no action of this path is allowed; the body names the rejected action. */
    refusal: ApiError | undefined
  }
}

const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** One route per operation: authenticate, authorise, validate, execute, respond. */
export function registerRoutes(app: FastifyInstance, bindings: readonly ServedBinding[], deps: RouteDeps): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('operation', undefined)
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('signedMessage', undefined)
  app.decorateRequest('auditSource', undefined)
  app.decorateRequest('isOperationKnown', false)
  const routes = Map.groupBy(bindings, ({ operation }) => `${operation.method} ${operation.path}`)
  for (const [first, ...others] of routes.values()) {
    if (first === undefined) continue
    const { operation } = first
    const all = [first, ...others] as const
    app.route({
      method: operation.method,
      url: routerPath(operation.path),
      exposeHeadRoute: operation.method === 'GET' && operation.mode !== 'stream',
      onRequest: authenticateFirst(all, deps),
      handler: authoriseAgain(all, deps, others.length === 0 ? serve(first, deps) : serveByStructure(all, deps)),
    })
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void

/** In the same tick unless the credential must be read from the database. */
function authoriseAgain(
  bindings: readonly [ServedBinding, ...ServedBinding[]],
  deps: RouteDeps,
  handler: Handler,
): Handler {
  return (request, reply) => {
    const waiting = authoriseWithBody(bindings, request, deps.credentials)
    if (waiting === undefined) handler(request, reply)
    else waiting.then(() => handler(request, reply)).catch((error: Error) => reply.send(error))
  }
}

/** The named structure in the body selects the action. */
function serveByStructure(bindings: readonly ServedBinding[], deps: RouteDeps) {
  const actions = new Map(bindings.map((binding) => [binding.operation.structure ?? '', binding]))
  const handlers = new Map(bindings.map((binding) => [binding, serve(binding, deps)]))
  return (request: FastifyRequest, reply: FastifyReply) => {
    const named = Object.keys((request.body as object | undefined) ?? {}).filter((name) => actions.has(name))
    const binding = actions.get(named[0] ?? '')
    const { refusal } = request
    request.refusal = undefined
    if (binding === undefined || named.length > 1)
      throw refusal ?? invalid(`the body must contain exactly one of ${[...actions.keys()].join(', ')}`)
    request.operation = binding.operation
    request.isOperationKnown = true
    authorise(binding, request.caller ?? anonymousCaller, request)
    handlers.get(binding)?.(request, reply)
  }
}
