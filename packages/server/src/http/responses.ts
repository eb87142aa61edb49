import type { Operation } from '@wharf/contract'
import { anonymousCaller } from '../calls/caller.ts'
import type { StoredResult } from '../jobs/idempotency.ts'
import { reviveFailure } from '../jobs/job-result.ts'
import { revoked } from '../resources/identity/authenticate.ts'
import type { CallOptions } from './call-options.ts'
import type { Exchange } from './exchange.ts'
import { sendAccepted } from './job-protocol.ts'
import { withoutShownOnce } from './response-fields.ts'
import { responseWriter } from './response-text.ts'
import type { RouteDeps } from './route-deps.ts'
import type { ScopedCall } from './scoped-call.ts'
import { type Sent, sendJson } from './send.ts'

/** Sends the results of an operation. */
export class Responses {
  readonly #operation: Operation
  readonly #deps: RouteDeps
  readonly #write: ReturnType<typeof responseWriter>

  constructor(operation: Operation, deps: RouteDeps) {
    this.#operation = operation
    this.#deps = deps
    this.#write = responseWriter(operation, deps.formatTimestamp, deps.settings)
  }

  /** Clients of the job protocol may read every answer from a job. */
  isReadAtJob({ jobUuid }: CallOptions): boolean {
    return this.#deps.settings.always202 === true && jobUuid !== undefined
  }

  /** A job operation starts a job, or returns the answer directly when no work is needed. */
  storedResult(result: object): StoredResult {
    return this.#operation.mode === 'job' && 'jobUuid' in result ? (result as { jobUuid: string }) : { answer: result }
  }

  withSecretsHidden(kept: StoredResult): StoredResult {
    return 'answer' in kept ? { answer: withoutShownOnce(this.#operation, kept.answer) } : kept
  }

  sendStored({ request, reply }: Exchange, options: CallOptions, kept: StoredResult): Sent {
    if (options.preference !== undefined) reply.header('preference-applied', options.preference)
    return 'answer' in kept
      ? sendJson(request, reply, 200, this.#write(request.headers, kept.answer))
      : this.#sendFromJob({ request, reply }, options, kept.jobUuid)
  }

  send(exchange: Exchange, options: CallOptions, scoped: ScopedCall | undefined, result: object | undefined): Sent {
    return scoped === undefined || result === undefined
      ? this.#sendShown(exchange, options, result)
      : scoped.shown(result).then((shown) => this.#sendShown(exchange, options, shown))
  }

  #sendShown(exchange: Exchange, options: CallOptions, result: object | undefined): Sent {
    const { request, reply } = exchange
    if (this.#operation.mode === 'stream') return reply
    const send = (): Sent => this.sendStored(exchange, options, this.storedResult(result ?? {}))
    const { auditSource } = request
    if (auditSource === undefined || auditSource.isRecorded) return send()
    return this.#deps.auditedCalls.recordUnchanged(request, this.#operation).then(send)
  }

  async #sendFromJob({ request, reply }: Exchange, options: CallOptions, jobUuid: string) {
    const { jobs, settings, waitingCalls, credentials, draining } = this.#deps
    if (this.isReadAtJob(options)) return sendAccepted(request, reply, jobs, settings, jobUuid)
    const { caller } = request
    using slot = waitingCalls.acquire((caller ?? anonymousCaller).userUuid)
    const row = await jobs.wait(jobUuid, slot ? options.holdMs : 0, draining)
    if (caller !== undefined && (await credentials.current(caller)) === undefined) throw revoked(caller)
    const outcome = jobs.result(row)
    if (outcome !== undefined && 'answer' in outcome)
      return sendJson(request, reply, 200, this.#write(request.headers, outcome.answer))
    // clients of the job protocol read failures only from the job
    if (outcome !== undefined && options.jobUuid === undefined) throw reviveFailure(outcome.failure)
    return sendAccepted(request, reply, jobs, settings, jobUuid)
  }
}
