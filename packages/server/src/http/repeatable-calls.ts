import type { Operation } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyRequest } from 'fastify'
import type { Call } from '../calls/call-context.ts'
import { anonymousCaller } from '../calls/caller.ts'
import type { RepeatableCall, StoredResult } from '../jobs/idempotency.ts'
import type { Nonces } from '../resources/identity/request-signatures/nonces.ts'
import type { CallOptions } from './call-options.ts'
import type { Exchange } from './exchange.ts'
import type { Responses } from './responses.ts'
import { nonceOf } from './rfc9421-headers.ts'
import type { RouteDeps } from './route-deps.ts'
import type { ScopedCall } from './scoped-call.ts'

/** A concurrent call with the same key has finished first; its result is the answer. */
class AlreadyDone extends Error {}

interface Action {
  readonly authorise: (tx: Tx) => Promise<void>
  readonly act: (commit: Call['commit']) => Promise<object | undefined>
}

/** Calls with an idempotency key: the change happens once. */
export class RepeatableCalls {
  readonly #operation: Operation
  readonly #responses: Responses
  readonly #deps: RouteDeps

  constructor(operation: Operation, responses: Responses, deps: RouteDeps) {
    this.#operation = operation
    this.#responses = responses
    this.#deps = deps
  }

  async actOnce(
    exchange: Exchange,
    options: CallOptions,
    key: string,
    scoped: ScopedCall | undefined,
    { authorise, act }: Action,
  ): Promise<unknown> {
    const responses = this.#responses
    const { database, idempotency, jobs, nonces } = this.#deps
    const { request } = exchange
    const caller = request.caller ?? anonymousCaller
    const fingerprint = idempotency.fingerprint(request.method, request.raw.url ?? '', request.body)
    const repeatable: RepeatableCall = { key, caller, fingerprint }
    await refuseReplay(request, nonces)
    const before = await idempotency.find(repeatable)
    if (before) return responses.sendStored(exchange, options, before)
    idempotency.refuseTooMany(caller.userUuid)
    let kept: StoredResult | undefined
    let isRefused = false
    const commit: Call['commit'] = async (work) => {
      const committed = await database.transaction(async (tx) => {
        isRefused = true
        await authorise(tx)
        isRefused = false
        if (!(await idempotency.claim(tx, repeatable))) throw new AlreadyDone()
        const worked = await work(tx)
        const result = scoped ? await scoped.checkResult(tx, worked) : worked
        let keeps = responses.storedResult(result)
        if (responses.isReadAtJob(options) && 'answer' in keeps) {
          await jobs.recordSuccess(tx, { caller, uuid: key }, this.#operation.name, keeps.answer)
          keeps = { jobUuid: key }
        }
        await idempotency.storeResult(tx, repeatable, responses.withSecretsHidden(keeps))
        return { result, keeps }
      })
      kept = committed.keeps
      return committed.result
    }
    let result: object | undefined
    try {
      result = await act(commit)
      // a call without a change has no transaction for the key
      if (responses.isReadAtJob(options) && kept === undefined) await commit(async () => result ?? {})
    } catch (error) {
      // the rejection may be caused by the first call with this key
      const isDone = !isRefused && (error instanceof AlreadyDone || error instanceof ApiError)
      const first = isDone ? await idempotency.find(repeatable) : undefined
      if (first === undefined) throw error
      return responses.sendStored(exchange, options, first)
    }
    return responses.isReadAtJob(options) && kept !== undefined
      ? responses.sendStored(exchange, options, kept)
      : responses.send(exchange, options, scoped, result)
  }
}

/** A stored answer is for the caller who repeats a call, not for one who repeats its bytes. */
async function refuseReplay(request: FastifyRequest, nonces: Nonces): Promise<void> {
  const nonce = nonceOf(request)
  if (nonce === undefined) return
  await nonces.refuseRepeated(nonce).catch((error: unknown) => {
    request.caller = undefined
    throw error
  })
}
