import { uploadPath } from '@wharf/contract'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asSystem } from '../../audit/audit-source.ts'
import { sliceTooLarge, unknownUpload } from './failures.ts'
import { maxSliceBytes } from './limits.ts'
import type { UploadService } from './service.ts'
import { SliceBody } from './slice-body.ts'
import { commonHeaders, optionsHeaders, readSliceHeaders, tusVersion } from './tus-headers.ts'
import type { UploadProgress } from './upload-sessions.ts'

/** tus 1.0.0 at the signed address of an upload. Uploads are created by the operations of packages, not by POST. */

const methods = ['DELETE', 'HEAD', 'OPTIONS', 'PATCH']

export const uploadPaths = methods.map((method) => ({ method, path: uploadPath }))

interface UploadRouteDeps {
  readonly uploads: UploadService
  /** Aborted when the server drains: running slices are answered immediately. */
  readonly draining: AbortSignal
}

export function registerUploads(app: FastifyInstance, { uploads, draining }: UploadRouteDeps): void {
  onAbort(draining, () => void uploads.sessions.stop())
  app.register(async (scope) => {
    // slices are read as they arrive, and other bodies are not parsed
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    // without a signature the connection is closed before the body is read
    scope.addHook('onRequest', (request, reply, done) => {
      reply.headers(commonHeaders)
      if (isSigned(uploads, request)) return done()
      if (request.method !== 'OPTIONS' || hasBody(request)) reply.header('connection', 'close')
      // a preflight request has the same answer for every upload
      done(request.method === 'OPTIONS' ? undefined : unknownUpload())
    })
    scope.route({
      // POST replaces a method that a client cannot send
      method: [...methods, 'POST'],
      url: uploadPath.replace('{id}', ':id'),
      config: { allowsAnyOrigin: true, hasOwnBodyTimeout: true },
      handler: async (request, reply) => {
        const body = new SliceBody(request.raw)
        try {
          return await asSystem('ReceiveUpload', () => answer(uploads, request, reply, body))
        } catch (error) {
          if (error instanceof WrongNodeError && hasBody(request)) request.sentBody = body
          // otherwise the rest of a refused slice would delay the shutdown
          if (draining.aborted) reply.header('connection', 'close')
          throw error
        } finally {
          if (request.sentBody === undefined) body.discard()
        }
      },
    })
  })
}

async function answer(
  uploads: UploadService,
  request: FastifyRequest,
  reply: FastifyReply,
  body: SliceBody,
): Promise<FastifyReply> {
  const method = methodOf(request, reply)
  if (method === 'OPTIONS') return reply.code(204).headers(optionsHeaders(methods, uploads.maxPackageBytes)).send()
  requireVersion(request, reply)
  const { id } = request.params as { id: string }
  if (method === 'HEAD') return setProgressHeaders(reply.code(200), await uploads.sessions.progress(id), true).send()
  if (method === 'PATCH')
    return setProgressHeaders(reply.code(204), await append(uploads, id, request, body), false).send()
  await uploads.sessions.terminate(id)
  return reply.code(204).send()
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function append(
  uploads: UploadService,
  id: string,
  { headers }: FastifyRequest,
  body: SliceBody,
): Promise<UploadProgress> {
  const slice = readSliceHeaders(headers)
  if (slice.bytes !== undefined && slice.bytes > maxSliceBytes) throw sliceTooLarge(maxSliceBytes)
  return uploads.sessions.append(id, { ...slice, body })
}

/** tus 1.0.0: X-HTTP-Method-Override replaces the method, for clients that cannot send PATCH or DELETE. */
function methodOf({ method, headers }: FastifyRequest, reply: FastifyReply): string {
  const requested = method === 'POST' ? String(headers['x-http-method-override'] ?? 'POST').toUpperCase() : method
  if (methods.includes(requested)) return requested
  reply.header('allow', methods.join(', '))
  throw new ApiError('SYS.1007', `${requested.slice(0, 20)} is not allowed here; use ${methods.join(', ')}`, {
    status: 405,
  })
}

function requireVersion({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers['tus-resumable'] === tusVersion) return
  reply.header('tus-version', tusVersion)
  throw new ApiError('SYS.1007', `the header Tus-Resumable must be ${tusVersion}`, { status: 412 })
}

function isSigned(uploads: UploadService, { params, url }: FastifyRequest): boolean {
  const { id } = params as { id: string }
  const query = url.indexOf('?')
  const signature = query < 0 ? null : new URLSearchParams(url.slice(query + 1)).get('signature')
  return uploads.isSigned(id, signature ?? '')
}

function setProgressHeaders(
  reply: FastifyReply,
  { offset, size, expiryDate }: UploadProgress,
  withLength: boolean,
): FastifyReply {
  reply.header('upload-offset', String(offset))
  if (expiryDate !== null) reply.header('upload-expires', new Date(expiryDate).toUTCString())
  if (!withLength) return reply
  return size === null ? reply.header('upload-defer-length', '1') : reply.header('upload-length', String(size))
}
