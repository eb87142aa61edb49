import { isUuid, type Operation, resourceTypeOf } from '@wharf/contract'
import type { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { FastifyRequest } from 'fastify'
import { type AuditActor, type AuditSource, anonymousActor, sessionUuid } from '../audit/audit-source.ts'
import { NotRecordedError } from '../audit/not-recorded.ts'
import type { AuditService } from '../audit/service.ts'
import type { Caller } from '../calls/caller.ts'
import { parseAuthorization } from '../resources/identity/authorization-header.ts'
import { loggedPath } from './masked-path.ts'
import { userAgentOf } from './user-agent.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a call that may change something, once it is executed. */
    auditSource: AuditSource | undefined
    /** False while only the path is known, and several operations share it. */
    isOperationKnown: boolean
  }
}

interface AuditedDeps {
  readonly audit: AuditService
  readonly clock: Clock
  readonly settings: { readonly authSchemes: readonly string[] }
}

/** A longer text than the id of a key may be something that was not meant to be sent. */
const maxKeyId = 20

/** The entries of calls: a changing call has one, whatever its result; a plain read or a dry run has none unless it is refused. */
export class AuditedCalls {
  readonly #deps: AuditedDeps
  readonly #schemes: string[]

  constructor(deps: AuditedDeps) {
    this.#deps = deps
    this.#schemes = deps.settings.authSchemes.map((scheme) => scheme.toLowerCase())
  }

  /** What the changes of a call are attributed to. */
  open(request: FastifyRequest, operation: string): AuditSource {
    const source: AuditSource = {
      operation,
      startDate: this.#deps.clock.now() - Math.round(performance.now() - request.arrivedAt),
      requestId: request.id,
      method: request.method,
      path: loggedPath(request, 200),
      sourceIp: request.ip,
      userAgent: userAgentOf(request),
      actor: actorOf(request.caller),
      isRecorded: false,
      isAccepted: false,
    }
    request.auditSource = source
    return source
  }

  /** After a call has succeeded: one that changed no record, such as the reload of a file, has an entry too. */
  async recordUnchanged(request: FastifyRequest, operation: Operation): Promise<void> {
    const { auditSource } = request
    if (auditSource === undefined || auditSource.isRecorded || operation.changes === false) return
    const result = { outcome: 'Success', status: 200, errorCode: null } as const
    await this.#deps.audit.recordUnchanged(auditSource, { ...result, ...resourceOf(request, operation) })
  }

  /** Before the answer to a call that failed; returns the error to answer with. */
  async recordFailure(request: FastifyRequest, error: ApiError): Promise<ApiError> {
    const { operation, auditSource } = request
    const isDenied = error.status === 401 || error.status === 403
    const isChange = operation !== undefined && operation.method !== 'GET' && operation.changes !== false
    // a node that is not ready answers so, and the end of a job has an entry of its own
    if (error.code === 'SYS.1010' || auditSource?.isAccepted || !(isDenied || isChange)) return error
    const source = auditSource ?? this.open(request, nameOf(request))
    const path = loggedPath(request, error.status)
    const actor = source.actor === anonymousActor ? this.#claimedActor(request) : source.actor
    const result = { outcome: isDenied ? 'Denied' : 'Failure', status: error.status, errorCode: error.code } as const
    try {
      const resource = operation === undefined ? {} : resourceOf(request, operation)
      await this.#deps.audit.recordUnchanged({ ...source, path, actor }, { ...result, ...resource })
      return error
    } catch (cause) {
      return cause instanceof NotRecordedError ? cause : new NotRecordedError(cause)
    }
  }

  /** Who the caller claims to be: the id of an access key whose signature is wrong. */
  #claimedActor({ headers }: FastifyRequest): AuditActor {
    const shown = parseAuthorization(headers.authorization, this.#schemes)
    const isId = shown.kind === 'key' && shown.id.length <= maxKeyId
    return isId ? { ...anonymousActor, actorName: shown.id } : anonymousActor
  }
}

function actorOf(caller: Caller | undefined): AuditActor {
  if (caller === undefined || caller.credential.kind === 'none') return anonymousActor
  const { accountUuid, userUuid, userName: actorName, role, credential } = caller
  const user = { accountUuid, userUuid, actorName, role }
  return credential.kind === 'key'
    ? { ...user, actorKind: 'AccessKey', credentialUuid: credential.uuid }
    : { ...user, actorKind: 'Session', credentialUuid: sessionUuid(credential.hash) }
}

/** The operation, or the route where none is known. */
function nameOf({ operation, isOperationKnown, method, routeOptions }: FastifyRequest): string {
  if (operation !== undefined && isOperationKnown) return operation.name
  return `${method} ${operation?.path ?? routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}') ?? ''}`
}

/** The record that the path names. The path of a sign-out has a session id, which is a credential. */
function resourceOf({ params }: FastifyRequest, operation: Operation) {
  const { uuid } = params as { uuid?: string }
  const isRecord = uuid !== undefined && isUuid(uuid) && !operation.path.includes('/sessions/')
  return { resourceType: resourceTypeOf(operation) ?? null, resourceUuid: isRecord ? uuid : null }
}
