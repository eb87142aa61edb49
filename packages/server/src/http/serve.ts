import type { Tx } from '@wharf/database/database.ts'
import type { CallerScope } from '@wharf/database/scope-conditions.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withSource } from '../audit/audit-source.ts'
import type { Call } from '../calls/call-context.ts'
import { anonymousCaller } from '../calls/caller.ts'
import { authoriseChange } from './authorise.ts'
import { type CallOptions, readCallOptions } from './call-options.ts'
import { refusingUuidConflict } from './chosen-uuid.ts'
import { disconnectSignal, type Exchange, rawQuery, type ServedBinding } from './exchange.ts'
import { type Input, inputReader } from './input.ts'
import { RepeatableCalls } from './repeatable-calls.ts'
import { requestBaseUrl } from './request-base-url.ts'
import { Responses } from './responses.ts'
import type { RouteDeps } from './route-deps.ts'
import { ScopedCall } from './scoped-call.ts'
import { pendingOf, type Sent } from './send.ts'
import { userAgentOf } from './user-agent.ts'

/** `scoped` for a caller with a scope. */
interface ScopedInput extends Input {
  readonly scoped?: ScopedCall
}

/** Validates a call, executes it and responds. */
export function serve(binding: ServedBinding, deps: RouteDeps) {
  const { operation, handler } = binding
  const { database, settings, auditedCalls } = deps
  const readInput = inputReader(operation)
  const responses = new Responses(operation, deps)
  const repeatableCalls = new RepeatableCalls(operation, responses, deps)

  const callOf = (
    { request }: Exchange,
    options: CallOptions,
    { fields, tags, scoped }: ScopedInput,
    commit: Call['commit'],
  ): Call => {
    const caller = request.caller ?? anonymousCaller
    // the forwarding node identifies the job by this
    const jobUuid = options.jobUuid ?? (request.isRelayed ? request.id : undefined)
    return {
      caller,
      path: (scoped?.path ?? request.params) as Record<never, string>,
      fields: fields as Call['fields'],
      tags,
      source: request.ip,
      userAgent: userAgentOf(request),
      disconnectSignal: () => disconnectSignal({ request }),
      isRelayed: request.isRelayed,
      // no getter: V8 would create and keep a shape per call
      address: () => requestBaseUrl(request, settings),
      job: { caller, uuid: jobUuid, timeoutSeconds: options.timeoutSeconds },
      commit: refusingUuidConflict(operation, fields, commit),
      changesNothing: () => {
        request.auditSource = undefined
      },
      authorise: (tx) => authoriseIn(tx, request, scoped),
    }
  }

  const authoriseIn = async (tx: Tx, request: FastifyRequest, scoped: ScopedCall | undefined): Promise<void> => {
    if (binding.lock !== undefined) await database.lock(tx, binding.lock)
    await authoriseChange(tx, binding, request, deps)
    await scoped?.authorise(tx)
  }

  const act = (exchange: Exchange, options: CallOptions, input: ScopedInput): Sent => {
    const { scoped } = input
    const commit: Call['commit'] = (work) =>
      database.transaction(async (tx) => {
        await authoriseIn(tx, exchange.request, scoped)
        const result = await work(tx)
        return scoped ? scoped.checkResult(tx, result) : result
      })
    const result = handler(callOf(exchange, options, input, commit), exchange)
    return result instanceof Promise
      ? result.then((settled) => pendingOf(responses.send(exchange, options, scoped, settled)))
      : responses.send(exchange, options, scoped, result)
  }

  const actWithKey = (exchange: Exchange, options: CallOptions, input: ScopedInput, key: string | undefined): Sent =>
    key === undefined
      ? act(exchange, options, input)
      : repeatableCalls.actOnce(exchange, options, key, input.scoped, {
          authorise: (tx) => authoriseIn(tx, exchange.request, input.scoped),
          act: async (commit) => handler(callOf(exchange, options, input, commit), exchange),
        })

  /** Records outside the scope of the caller do not exist for the call, nor a result that was stored for them. */
  const actWithin = async (exchange: Exchange, options: CallOptions, input: Input, scope: CallerScope) => {
    const path = exchange.request.params as Record<string, string>
    const scoped = await ScopedCall.enter({ database, operation, scope }, path, input.fields)
    const within = { ...input, fields: { ...scoped.fields }, scoped }
    const key = scoped.hiddenUuids.length > 0 ? undefined : options.idempotencyKey
    try {
      return await actWithKey(exchange, options, within, key)
    } catch (error) {
      throw await scoped.conceal(error)
    }
  }

  return (request: FastifyRequest, reply: FastifyReply): void => {
    const options = readCallOptions(request.headers, operation, settings.holdSeconds)
    const input = readInput({
      path: request.params as Record<string, string>,
      query: rawQuery(request),
      body: request.body,
    })
    const exchange = { request, reply }
    const scope = request.caller?.scope
    const execute = (): Sent =>
      scope === undefined
        ? actWithKey(exchange, options, input, options.idempotencyKey)
        : actWithin(exchange, options, input, scope)
    // reads are not recorded
    const sent =
      operation.method === 'GET' ? execute() : withSource(auditedCalls.open(request, operation.name), execute)
    pendingOf(sent)?.catch((error: Error) => reply.send(error))
  }
}
