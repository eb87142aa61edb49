import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { getApiJob } from '@wharf/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../platform/api-error.ts'
import { newUuid } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Binding } from './bind.ts'
import { maxBodyBytes, registerBodyParser } from './body.ts'
import { readJobUuid } from './call-options.ts'
import { crossOrigin } from './cross-origin.ts'
import { failureText, toApiError } from './failures.ts'
import { methodTable, refuseAmbiguousPath } from './paths.ts'
import { type RouteParts, registerRoutes, sendAccepted } from './routes.ts'
import { sendFailure, sendJson } from './send.ts'

export interface EdgeParts extends RouteParts {
  readonly log: Log
  readonly settings: RouteParts['settings'] & {
    authSchemes: readonly string[]
    trustedProxies: readonly string[]
    corsOrigins: readonly string[]
    tls?: { cert: string | Buffer; key: string | Buffer } | undefined
  }
  /** Told of every answer, for metrics. */
  readonly observe: (operation: string, status: number, seconds: number) => void
}

/** What HTTP asks of every call, before and after the operations. */
export function createEdge(bindings: readonly Binding[], parts: EdgeParts): FastifyInstance {
  const { settings, log } = parts
  const options = {
    logger: false,
    bodyLimit: maxBodyBytes,
    genReqId: newUuid,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => withoutPrefix(url, settings.basePath),
    routerOptions: {
      // our own reader knows the declared fields; this one keeps the text
      querystringParser: (raw: string) => ({ raw }),
      maxParamLength: 1024,
      ignoreTrailingSlash: false,
    },
    exposeHeadRoutes: false,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => refuseUnreadable(error, socket),
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.header('x-request-id', request.id)
      void sendFailure(request, reply, toApiError(error), settings.authSchemes)
    },
    http: { highWaterMark: 1 << 20 },
  }
  const app = (settings.tls === undefined
    ? Fastify(options)
    : Fastify({ ...options, https: settings.tls })) as unknown as FastifyInstance

  const known = bindings.map(({ operation }) => operation)
  const publicPaths = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'].map((path) => ({
    method: 'GET',
    path,
  }))
  const methodsOf = methodTable([...known, ...publicPaths])
  const allowCrossOrigin = crossOrigin(settings.corsOrigins)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const { headers } = request
    // without a body the type of the body says nothing
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
      delete headers['content-type']
    try {
      refuseAmbiguousPath(request.originalUrl)
      if (allowCrossOrigin(request, reply)) return
      if (request.is404) throw noRoute(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  const noRoute = (request: FastifyRequest, reply: FastifyReply): ApiError => {
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
    const methods = methodsOf(path)
    if (methods.length === 0) return new ApiError('SYS.1003', `there is nothing at ${path.slice(0, 200)}`)
    reply.header('allow', methods.join(', '))
    return new ApiError('SYS.1007', `${request.method} is not allowed here; use ${methods.join(', ')}`, { status: 405 })
  }

  app.setErrorHandler(async (thrown, request, reply) => {
    const error = toApiError(thrown)
    if (error.code === 'SYS.1000') log.error({ requestId: request.id, err: error.cause }, 'a call failed unexpectedly')
    if (request.operation?.name === getApiJob.name && error.code === 'SYS.1010') return stillUnknown(request, reply)
    return (await failAtJob(request, reply, error, parts)) ?? sendFailure(request, reply, error, settings.authSchemes)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.operation?.name ?? 'none'
    parts.observe(operation, reply.statusCode, reply.elapsedTime / 1000)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path: maskedPath(request.raw.url ?? ''),
        operation,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.caller?.userUuid,
        source: request.ip,
      },
      'request',
    )
    done()
  })

  registerBodyParser(app)
  registerRoutes(app, bindings, parts)
  return app
}

/** `/wharf/v1/hosts` and `/v1/hosts` are the same route. */
function withoutPrefix(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest.startsWith('/') ? rest : rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

/** Session ids stand in paths, tokens in queries: neither belongs in a log. */
export const maskedPath = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replace(/(\/sessions\/)[^/]+/, '$1[session]').slice(0, 500)

/** A client that speaks the job protocol reads a failure at its job: make one that has failed. */
async function failAtJob(request: FastifyRequest, reply: FastifyReply, error: ApiError, parts: EdgeParts) {
  const { operation, caller } = request
  if (operation === undefined || operation.method === 'GET' || operation.repeatable === false) return undefined
  if (caller === undefined || error.code === 'SYS.1010' || error.code === 'JOB.1002') return undefined
  try {
    const uuid = readJobUuid(request.headers)
    if (uuid === undefined) return undefined
    await parts.jobs.recordFailure({ caller, uuid }, operation.name, error)
    return sendAccepted(request, reply, parts.jobs, parts.settings, uuid)
  } catch {
    return undefined
  }
}

/** On a job's own path 503 means that the job has failed, so not knowing is told otherwise. */
function stillUnknown(request: FastifyRequest, reply: FastifyReply) {
  const { uuid } = request.params as { uuid: string }
  const unknown = {
    operation: null,
    subjectUuid: null,
    state: null,
    progress: null,
    currentStep: null,
    createDate: null,
  }
  reply.header('retry-after', '2')
  return sendJson(request, reply, 202, JSON.stringify({ uuid, ...unknown, success: true, error: null }))
}

/** What the HTTP parser refuses never becomes a request; it gets the same body all the same. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, words] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'the address or the headers are too long']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'the request did not arrive in time']
        : [400, 'Bad Request', 'this is not a readable HTTP request']
  const requestId = newUuid()
  const body = failureText(Object.assign(invalid(words), { status }), requestId)
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json;charset=UTF-8\r\nx-request-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
