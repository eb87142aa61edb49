import { ingestionPath, isUuid, normalizeUuid } from '@wharf/contract'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { FastifyInstance } from 'fastify'
import type { AlertIngestion } from './ingestion.ts'

/** Where platforms send their alerts. Not an operation of the contract: the body is Alertmanager's. */
export const ingestPaths = [{ method: 'POST', path: ingestionPath }]

interface IngestRouteDeps {
  readonly ingestion: AlertIngestion
  readonly draining: AbortSignal
}

export function registerIngestion(app: FastifyInstance, { ingestion, draining }: IngestRouteDeps): void {
  app.route<{ Params: { uuid: string } }>({
    method: 'POST',
    url: ingestionPath.replace('{uuid}', ':uuid'),
    // before the body is read, so that an unauthorized sender's body is not
    onRequest: async ({ params, headers, ip }, reply) => {
      if (draining.aborted) throw new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 })
      reply.header('www-authenticate', 'Bearer realm="wharf"')
      params.uuid = normalizeUuid(params.uuid)
      if (!isUuid(params.uuid)) throw notFound('alert platform', JSON.stringify(params.uuid.slice(0, 64)))
      await ingestion.authenticate(params.uuid, headers.authorization, ip)
      reply.removeHeader('www-authenticate')
    },
    handler: async ({ params, body }, reply) => {
      await ingestion.accept(params.uuid, body)
      return reply
        .code(200)
        .header('content-type', 'application/json;charset=UTF-8')
        .header('cache-control', 'no-store')
        .send(JSON.stringify({ success: true, error: null }))
    },
  })
}
