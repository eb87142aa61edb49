import { type Operation, openapi } from '@wharf/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { ApiError } from '../platform/api-error.ts'
import { sendJson } from './send.ts'

interface Parts {
  database: Database
  draining: AbortSignal
  served: ReadonlySet<Operation>
  basePath: string
}

/** What stands outside `/v1` and needs no credential. */
export function registerProbes(app: FastifyInstance, { database, draining, served, basePath }: Parts): string {
  app.get('/healthz', (request, reply) => sendJson(request, reply, 200, '{"status":"up"}'))

  app.get('/readyz', async (request, reply) => {
    if (draining.aborted) throw new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 })
    await sql`select 1`.execute(database.read)
    return sendJson(request, reply, 200, '{"status":"ready"}')
  })

  const document = JSON.stringify(openapi({ served: (operation) => served.has(operation), serverUrl: basePath || '/' }))
  app.get('/openapi.json', (request, reply) => sendJson(request, reply, 200, document))
  return document
}
