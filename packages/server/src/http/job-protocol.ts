import type { Database } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { anonymousCaller } from '../calls/caller.ts'
import type { Idempotency } from '../jobs/idempotency.ts'
import type { JobService } from '../jobs/service.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { Nonces } from '../resources/identity/request-signatures/nonces.ts'
import { readKeys } from './call-options.ts'
import { requestBaseUrl } from './request-base-url.ts'
import { nonceOf } from './rfc9421-headers.ts'
import { sendJson } from './send.ts'

/** 202 with the location of the answer. */
export function sendAccepted(
  request: FastifyRequest,
  reply: FastifyReply,
  jobs: JobService,
  settings: Parameters<typeof requestBaseUrl>[1],
  jobUuid: string,
) {
  const location = `${requestBaseUrl(request, settings)}/v1/api-jobs/${jobUuid}?token=${jobs.token(jobUuid)}`
  reply.header('location', location)
  return sendJson(request, reply, 202, JSON.stringify({ location, success: true, error: null }))
}

/** A client of the job protocol reads failures from its job: creates a failed one, once per key. */
export async function recordFailedJob(
  request: FastifyRequest,
  error: ApiError,
  deps: { jobs: JobService; idempotency: Idempotency; database: Database; credentials: Credentials; nonces: Nonces },
): Promise<ApiError | { jobUuid: string }> {
  const { jobs, idempotency, database, credentials, nonces } = deps
  const { operation, caller } = request
  if (operation === undefined || operation.method === 'GET' || operation.repeatable === false) return error
  if (caller === undefined || error.code === 'SYS.1010' || error.code === 'JOB.1002') return error
  try {
    const { jobUuid: uuid } = readKeys(request.headers)
    if (uuid === undefined) return error
    const fingerprint = idempotency.fingerprint(request.method, request.raw.url ?? '', request.body)
    const call = { key: uuid, caller, fingerprint }
    const recorded = await database.transaction(async (tx) => {
      if (caller !== anonymousCaller && (await credentials.lock(tx, caller)) === undefined) throw error
      const nonce = nonceOf(request)
      if (nonce !== undefined) await nonces.use(tx, nonce)
      if (!(await idempotency.claim(tx, call))) return false
      await jobs.recordFailure(tx, { caller, uuid }, operation.name, error)
      await idempotency.storeResult(tx, call, { jobUuid: uuid })
      return true
    })
    const kept = recorded ? { jobUuid: uuid } : await idempotency.find(call)
    return kept !== undefined && 'jobUuid' in kept ? kept : error
  } catch (second) {
    return second instanceof ApiError && second.code === 'JOB.1002' ? second : error
  }
}

/** On a job's own path 503 means that the job has failed, so an unknown state has another form. */
export function sendUnknownState(request: FastifyRequest, reply: FastifyReply) {
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
