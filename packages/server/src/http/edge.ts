import type { IncomingMessage } from 'node:http'
import { getApiJob } from '@wharf/contract'
import { isDamaged, isDiskFailure } from '@wharf/database/failures.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { flatSlice } from '@wharf/platform/flat-slice.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { NotRecordedError } from '../audit/not-recorded.ts'
import { maxBodyBytes, registerBodyParser } from './body.ts'
import { crossOrigin } from './cross-origin.ts'
import type { ServedBinding } from './exchange.ts'
import { failureText, toApiError } from './failures.ts'
import { recordFailedJob, sendAccepted, sendUnknownState } from './job-protocol.ts'
import { createMalformedRequestHandler, httpOptions, ignoreExpectations } from './malformed-requests.ts'
import { maskedPath } from './masked-path.ts'
import { type KnownPath, methodTable, refuseAmbiguousPath } from './paths.ts'
import type { Relay } from './relay/forward-request.ts'
import { forwardUntilDrained } from './relay/forward-until-drained.ts'
import type { Hop, Hops } from './relay/relay-hop.ts'
import { refuseRepeatedHeaders } from './repeated-headers.ts'
import { logRequests, type RequestLogDeps } from './request-log.ts'
import type { RouteDeps } from './route-deps.ts'
import { registerRoutes } from './routes.ts'
import { safetyHeaders, sendFailure } from './send.ts'
import { boundSlowClients, hasBody } from './slow-clients.ts'
import type { UnsentBytes } from './unsent-bytes.ts'
import { createUntrustedProxyWarning } from './untrusted-proxy-warning.ts'

export interface EdgeDeps extends RouteDeps, RequestLogDeps {
  readonly clock: Clock
  readonly hops: Hops
  readonly relay: Relay
  readonly streams: { readonly unsent: UnsentBytes }
  readonly settings: RouteDeps['settings'] & {
    authSchemes: readonly string[]
    trustedProxies: readonly string[]
    corsOrigins: readonly string[]
    errorAlone?: boolean
    timezone?: string
    tls?: { cert: string | Buffer; key: string | Buffer } | undefined
  }
  /** Routes outside the contract. */
  readonly otherPaths?: readonly KnownPath[]
}

/** What HTTP requires of every call, before and after the operation. */
export function createEdge(bindings: readonly ServedBinding[], deps: EdgeDeps): FastifyInstance {
  const { settings, log } = deps
  const options = {
    logger: false,
    bodyLimit: maxBodyBytes,
    genReqId: newUuid,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => withoutPrefix(url, settings.basePath),
    routerOptions: {
      // our parser uses the declared fields; this one only keeps the text
      querystringParser: (raw: string) => ({ raw }),
      maxParamLength: 1024,
      ignoreTrailingSlash: false,
    },
    clientErrorHandler: createMalformedRequestHandler(settings.errorAlone),
    // our own error while draining has the standard body
    return503OnClosing: false,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(safetyHeaders).header('x-request-id', request.id)
      void sendFailure(request, reply, toApiError(error), settings)
    },
    http: httpOptions,
    // no route has a schema of Fastify, whose compilers take a while to load
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  }
  const app = (settings.tls === undefined
    ? Fastify(options)
    : Fastify({ ...options, https: { ...httpOptions, ...settings.tls } })) as unknown as FastifyInstance
  ignoreExpectations(app.server, app)
  app.decorateRequest('isRelayed', false)
  app.decorateRequest('sentBody', undefined)
  app.decorateRequest('forwardedTo', undefined)

  const known = bindings.map(({ operation }) => operation)
  const publicPaths = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/docs/'].map((path) => ({
    method: 'GET',
    path,
  }))
  const methodsOf = methodTable([...known, ...publicPaths, ...(deps.otherPaths ?? [])])
  const allowCrossOrigin = crossOrigin(settings.corsOrigins)

  // omitted for UTC, the default of clients
  const timeZone = settings.timezone === undefined || settings.timezone === 'UTC' ? undefined : settings.timezone
  const warnOfUntrustedProxy = createUntrustedProxyWarning(deps)
  // first, so that these apply to rejected calls too
  logRequests(app, deps)
  boundSlowClients(app, (request, reply) => sendFailure(request, reply, tooSlow(), settings), {
    unsent: deps.streams.unsent,
    rejectResponse: (request, reply) => {
      const error = tooMuchUnsent()
      reply.code(error.status).header('retry-after', String(error.retryAfterSeconds)).removeHeader('content-encoding')
      return Buffer.from(failureText(error, request.id, settings.errorAlone))
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(safetyHeaders).header('x-request-id', request.id)
    if (timeZone !== undefined) reply.header('x-time-zone', timeZone)
    const { headers } = request
    try {
      refuseRepeatedHeaders(request.raw)
      // without a body its type has no meaning
      if (headers['content-type'] !== undefined && !hasBody(request)) delete headers['content-type']
      const hop = deps.hops.read({ method: request.method, target: request.originalUrl }, headers)
      if (hop !== undefined) applyHop(request, reply, hop)
      else if (headers['x-forwarded-for'] !== undefined) warnOfUntrustedProxy(request)
      if (headers.host === undefined && request.raw.httpVersion === '1.1') throw invalid('the Host header is missing')
      refuseAmbiguousPath(request.originalUrl)
      if (allowCrossOrigin(request, reply)) return
      // the router accepts an empty segment as a value
      if (request.is404 || hasEmptyValue(request.params as Record<string, string>)) throw noRoute(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  const noRoute = (request: FastifyRequest, reply: FastifyReply): ApiError => {
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
    const methods = methodsOf(path)
    if (methods.length === 0) return new ApiError('SYS.1003', `no route at ${maskedPath(path).slice(0, 200)}`)
    reply.header('allow', methods.join(', '))
    return new ApiError('SYS.1007', `${request.method} is not allowed here; use ${methods.join(', ')}`, { status: 405 })
  }

  app.setErrorHandler(async (failure, request, reply) => {
    // a rejected caller gets no details about an unreadable body
    const thrown = request.refusal ?? failure
    const failed = thrown instanceof WrongNodeError ? await forward(request, reply, thrown) : toApiError(thrown)
    if (failed === undefined) return
    const error = await deps.auditedCalls.recordFailure(request, failed)
    if (error instanceof NotRecordedError)
      log.error({ requestId: request.id, err: error.cause }, 'an audit entry cannot be written')
    if (error.code === 'SYS.1000') log.error({ requestId: request.id, err: error.cause }, 'a call failed unexpectedly')
    if (isDiskFailure(error.cause))
      log.error({ requestId: request.id, err: error.cause }, 'the disk of the database fails')
    if (isDamaged(error.cause)) log.error({ requestId: request.id, err: error.cause }, 'the database is damaged')
    if (request.operation?.name === getApiJob.name && error.code === 'SYS.1010') return sendUnknownState(request, reply)
    const recorded = await recordFailedJob(request, error, deps)
    if (recorded instanceof ApiError) return sendFailure(request, reply, recorded, settings)
    return sendAccepted(request, reply, deps.jobs, settings, recorded.jobUuid)
  })

  const forward = forwardUntilDrained(deps)

  registerBodyParser(app)
  registerRoutes(app, bindings, deps)
  return app
}

const noCompiler = (): never => {
  throw new Error('schemas are compiled in validate.ts')
}

const tooMuchUnsent = (): ApiError =>
  new ApiError(
    'SYS.1010',
    'the unsent responses of this node have reached their limit; try again shortly, or request a smaller page',
    { retryAfterSeconds: 2 },
  )

const tooSlow = (): ApiError => new ApiError('SYS.1007', 'the request did not arrive in time', { status: 408 })

/** `/wharf/v1/hosts` and `/v1/hosts` are the same route, also as an absolute URL. */
function withoutPrefix(target: string, basePath: string): string {
  const url = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = flatSlice(url, basePath.length)
  return rest.startsWith('/') ? rest : rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

function hasEmptyValue(values: Readonly<Record<string, string>>): boolean {
  for (const name in values) if (values[name] === '') return true
  return false
}

/** A forwarded call keeps its caller and its request id. */
function applyHop(request: FastifyRequest, reply: FastifyReply, { requestId, source, protocol, host }: Hop): void {
  const forwarded = { id: requestId, ip: source, protocol, host }
  for (const [name, value] of Object.entries(forwarded)) Object.defineProperty(request, name, { value })
  request.isRelayed = true
  reply.header('x-request-id', requestId)
}
