import { type Operation, openapi } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { withDeadline } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { JobService } from '../jobs/service.ts'
import { prepareLater, sendPrepared } from './prepared.ts'
import { jsonPolicy, jsonType, sendJson } from './send.ts'

interface Parts {
  database: Database
  jobs: JobService
  clockCheck: { readonly warning: string | undefined; readonly refusal: string | undefined }
  writes: WriteChecks
  draining: AbortSignal
  served: ReadonlySet<Operation>
  basePath: string
  timezone: string
}

/** What a call that writes needs, as far as this node has found out. */
export interface WriteChecks {
  /** Why the data folder takes none; known without waiting. */
  diskRefusal(): string | undefined
  /** Why the database takes none; tries a write when the last one failed. */
  databaseRefusal(): Promise<string | undefined>
}

/** A database that is there answers in milliseconds; whoever asks does not wait for one that is not. */
const maxDatabaseMs = 2000

/** What stands outside `/v1` and needs no credential. Returns the OpenAPI document, which is made when it is first asked for. */
export function registerProbes(
  app: FastifyInstance,
  { database, jobs, clockCheck, writes, draining, served, basePath, timezone }: Parts,
): () => string {
  app.get('/healthz', (request, reply) => sendJson(request, reply, 200, '{"status":"up"}'))

  app.get('/readyz', async (request, reply) => {
    if (draining.aborted) throw notReady('this node is shutting down')
    if (!jobs.runner.isRunning) throw notReady('this node is starting')
    if (clockCheck.refusal !== undefined) throw notReady(clockCheck.refusal)
    const refusal = writes.diskRefusal()
    if (refusal !== undefined) throw notReady(refusal)
    const answered = sql`select 1`.execute(database.read).then(() => writes.databaseRefusal())
    const failure = await withDeadline(maxDatabaseMs, answered, () =>
      notReady(`the database has not answered for ${maxDatabaseMs / 1000} s`),
    )
    if (failure !== undefined) throw notReady(failure)
    const { warning } = clockCheck
    const body = warning === undefined ? '{"status":"ready"}' : JSON.stringify({ status: 'ready', warnings: [warning] })
    return sendJson(request, reply, 200, body)
  })

  let made: string | undefined
  const document = (): string => {
    made ??= JSON.stringify(
      openapi({ served: (operation) => served.has(operation), serverUrl: basePath || '/', timeZone: timezone }),
    )
    return made
  }
  // one copy for all who ask: whoever takes it slowly keeps no other
  const prepared = prepareLater(jsonType, () => Buffer.from(document()))
  app.get('/openapi.json', (request, reply) =>
    sendPrepared(request, reply, prepared(), { contentSecurityPolicy: jsonPolicy, cacheControl: 'no-store' }),
  )
  return document
}

/** For whoever opens the root, when nothing else is served there. */
export function redirectRoot(app: FastifyInstance, page: string): void {
  app.get('/', (request, reply) => reply.redirect(besideRoot(request, page), 302))
}

const notReady = (details: string): ApiError => new ApiError('SYS.1010', details, { retryAfterSeconds: 1 })

/** Relative, so that it leads to the right place under any prefix, also one that a proxy has put before ours. */
function besideRoot(request: FastifyRequest, page: string): string {
  const path = request.originalUrl.split('?', 1)[0] ?? '/'
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '' ? page : `${last}/${page}`
}
