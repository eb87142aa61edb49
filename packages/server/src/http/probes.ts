import { type Operation, openapi } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { withDeadline } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { JobService } from '../jobs/service.ts'
import { cacheLazily, sendCached } from './cached-response.ts'
import { jsonPolicy, jsonType, sendJson } from './send.ts'

interface ProbeDeps {
  database: Database
  jobs: JobService
  clockCheck: { readonly warning: string | undefined; readonly refusal: string | undefined }
  writes: WriteChecks
  draining: AbortSignal
  served: ReadonlySet<Operation>
  basePath: string
  timezone: string
}

/** Whether this node can write, by its last checks. */
export interface WriteChecks {
  /** Why the data folder rejects writes; from memory. */
  diskRefusal(): string | undefined
  /** Why the database rejects writes; tries a write when the last one failed. */
  databaseRefusal(): Promise<string | undefined>
  /** Why audit entries cannot be written, so that no call may change anything; tries one when the last one failed. */
  auditRefusal(): Promise<string | undefined>
  /** Why audit entries are written, but not chained, signed or copied; from memory. */
  auditWarnings(): readonly string[]
}

/** An available database responds in milliseconds; a probe does not wait longer. */
const maxDatabaseMs = 2000

/** The routes outside `/v1`, without a credential. Returns the OpenAPI document, created on first use. */
export function registerProbes(
  app: FastifyInstance,
  { database, jobs, clockCheck, writes, draining, served, basePath, timezone }: ProbeDeps,
): () => string {
  app.get('/healthz', (request, reply) => sendJson(request, reply, 200, '{"status":"up"}'))

  app.get('/readyz', async (request, reply) => {
    if (draining.aborted) throw notReady('this node is shutting down')
    if (!jobs.runner.isRunning) throw notReady('this node is starting')
    if (clockCheck.refusal !== undefined) throw notReady(clockCheck.refusal)
    const refusal = writes.diskRefusal()
    if (refusal !== undefined) throw notReady(refusal)
    const answered = sql`select 1`
      .execute(database.read)
      .then(async () => (await writes.databaseRefusal()) ?? (await writes.auditRefusal()))
    const failure = await withDeadline(maxDatabaseMs, answered, () =>
      notReady(`the database has not answered for ${maxDatabaseMs / 1000} s`),
    )
    if (failure !== undefined) throw notReady(failure)
    const warnings = [clockCheck.warning ?? [], writes.auditWarnings()].flat()
    const body = JSON.stringify({ status: 'ready', ...(warnings.length > 0 && { warnings }) })
    return sendJson(request, reply, 200, body)
  })

  let text: string | undefined
  const document = (): string => {
    text ??= JSON.stringify(
      openapi({ served: (operation) => served.has(operation), serverUrl: basePath || '/', timeZone: timezone }),
    )
    return text
  }
  // one shared copy for all readers, also slow ones
  const cached = cacheLazily(jsonType, () => Buffer.from(document()))
  app.get('/openapi.json', (request, reply) =>
    sendCached(request, reply, cached(), { contentSecurityPolicy: jsonPolicy, cacheControl: 'no-store' }),
  )
  return document
}

/** The root page when no console is built. */
export function redirectRoot(app: FastifyInstance, page: string): void {
  app.get('/', (request, reply) => reply.redirect(besideRoot(request, page), 302))
}

const notReady = (details: string): ApiError => new ApiError('SYS.1010', details, { retryAfterSeconds: 1 })

/** Relative, so that it works under any prefix, including that of a proxy. */
function besideRoot(request: FastifyRequest, page: string): string {
  const path = request.originalUrl.split('?', 1)[0] ?? '/'
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '' ? page : `${last}/${page}`
}
