import { normalizeUuid, type Operation, pathParameters } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import type { CallerScope } from '@wharf/database/scope-conditions.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withSource } from '../audit/audit-source.ts'
import type { Call } from '../calls/call-context.ts'
import { anonymousCaller, type Caller } from '../calls/caller.ts'
import type { Idempotency, RepeatableCall, StoredResult } from '../jobs/idempotency.ts'
import { reviveFailure } from '../jobs/job-result.ts'
import type { JobService } from '../jobs/service.ts'
import { type Authenticate, revoked } from '../resources/identity/authenticate.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { Nonces } from '../resources/identity/nonces.ts'
import type { AuditedCalls } from './audited-call.ts'
import { authorise, authoriseAny, authoriseChange, authoriseWithBody } from './authorise.ts'
import { type CallOptions, readCallOptions, refuseWebHook } from './call-options.ts'
import { refusingTakenUuid } from './chosen-uuid.ts'
import { disconnectSignal, type Exchange, type ServedBinding } from './exchange.ts'
import { type Input, inputReader } from './input.ts'
import { sendAccepted } from './job-protocol.ts'
import { nonceOf, readSignedMessage } from './message-signature.ts'
import { requestBaseUrl } from './request-base-url.ts'
import { withoutShownOnce } from './response-fields.ts'
import { responseWriter } from './response-text.ts'
import { ScopedCall } from './scoped-call.ts'
import { type Sent, sendJson } from './send.ts'
import { userAgentOf } from './user-agent.ts'
import type { WaitingCallLimit } from './waiting-call-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    operation: Operation | undefined
    /** Why no action of this path is allowed; the body names the rejected action. */
    refusal: ApiError | undefined
  }
}

export interface RouteDeps {
  readonly database: Database
  readonly auditedCalls: AuditedCalls
  readonly jobs: JobService
  readonly idempotency: Idempotency
  readonly waitingCalls: WaitingCallLimit
  readonly authenticate: Authenticate
  readonly credentials: Credentials
  readonly nonces: Nonces
  readonly formatTimestamp: (ms: number) => string
  /** Aborted when the server drains: waiting calls return 202 immediately. */
  readonly draining: AbortSignal
  readonly settings: {
    basePath: string
    publicUrl?: string | undefined
    holdSeconds: number
    jsonSchema?: boolean
    /** Clients of the job protocol read every answer from a job. */
    always202?: boolean
  }
}

/** `scoped` for a caller with a scope. */
interface ScopedInput extends Input {
  readonly scoped?: ScopedCall
}

/** A concurrent call with the same key has finished first; its result is the answer. */
class AlreadyDone extends Error {}

const rawQuery = (request: FastifyRequest): string => (request.query as { raw: string }).raw

const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** One route per operation: authenticate, authorise, validate, execute, respond. */
export function registerRoutes(app: FastifyInstance, bindings: readonly ServedBinding[], deps: RouteDeps): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('operation', undefined)
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('signedMessage', undefined)
  app.decorateRequest('auditSource', undefined)
  app.decorateRequest('isOperationKnown', false)
  const routes = Map.groupBy(bindings, ({ operation }) => `${operation.method} ${operation.path}`)
  for (const [first, ...others] of routes.values()) {
    if (first === undefined) continue
    const { operation } = first
    const all = [first, ...others] as const
    app.route({
      method: operation.method,
      url: routerPath(operation.path),
      exposeHeadRoute: operation.method === 'GET' && operation.mode !== 'stream',
      onRequest: authenticateFirst(all, deps),
      handler: authoriseAgain(all, deps, others.length === 0 ? serve(first, deps) : serveByStructure(all, deps)),
    })
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined

/** In the same tick unless the credential must be read from the database. */
function authoriseAgain(
  bindings: readonly [ServedBinding, ...ServedBinding[]],
  deps: RouteDeps,
  handler: Handler,
): Handler {
  return (request, reply) => {
    const waiting = authoriseWithBody(bindings, request, deps.credentials)
    return waiting === undefined
      ? handler(request, reply)
      : waiting.then(async () => (await handler(request, reply)) ?? reply)
  }
}

/** The named structure in the body selects the action. */
function serveByStructure(bindings: readonly ServedBinding[], deps: RouteDeps) {
  const actions = new Map(bindings.map((binding) => [binding.operation.structure ?? '', binding]))
  const handlers = new Map(bindings.map((binding) => [binding, serve(binding, deps)]))
  return (request: FastifyRequest, reply: FastifyReply) => {
    const named = Object.keys((request.body as object | undefined) ?? {}).filter((name) => actions.has(name))
    const binding = actions.get(named[0] ?? '')
    const { refusal } = request
    request.refusal = undefined
    if (binding === undefined || named.length > 1)
      throw refusal ?? invalid(`the body must contain exactly one of ${[...actions.keys()].join(', ')}`)
    request.operation = binding.operation
    request.isOperationKnown = true
    authorise(binding, request.caller ?? anonymousCaller, request)
    return handlers.get(binding)?.(request, reply)
  }
}

/** In callback style: with a cached credential the call does not leave the tick. */
function authenticateFirst(
  bindings: readonly [ServedBinding, ...ServedBinding[]],
  { authenticate, draining, settings }: RouteDeps,
) {
  const [binding] = bindings
  const { operation, admits } = binding
  const extendsSession = operation.extendsSession ?? true
  const pathVariables = pathParameters(operation.path)
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    request.operation = operation
    request.isOperationKnown = bindings.length === 1
    const params = request.params as Record<string, string>
    for (const name of pathVariables) params[name] = normalizeUuid(params[name] ?? '')
    try {
      refuseWebHook(request.headers)
    } catch (error) {
      done(error as Error)
      return
    }
    if (draining.aborted) {
      done(new ApiError('SYS.1010', 'this node is shutting down', { retryAfterSeconds: 1 }))
      return
    }
    if (operation.permission === 'public' || admits?.(params, rawQuery(request))) {
      request.caller = anonymousCaller
      done()
      return
    }
    const { authorization, date, 'x-date': xDate } = request.headers
    const url = request.raw.url ?? ''
    const end = url.indexOf('?')
    try {
      const message = authorization === undefined ? readSignedMessage(request, settings) : undefined
      const admit = (caller: Caller): void => {
        // set before authorisation: later failures are failures after authentication
        request.caller = caller
        request.signedMessage = message
        authoriseAny(bindings, caller, request)
      }
      const caller = authenticate(
        {
          authorization,
          date: typeof xDate === 'string' ? xDate : date,
          method: request.method,
          path: end < 0 ? url : url.slice(0, end),
          message,
          source: request.ip,
        },
        extendsSession,
      )
      if (caller instanceof Promise) {
        caller.then(admit).then(() => done(), done)
        return
      }
      admit(caller)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}

function serve(binding: ServedBinding, deps: RouteDeps) {
  const { operation, handler } = binding
  const { database, idempotency, waitingCalls, jobs, settings, auditedCalls } = deps
  const readInput = inputReader(operation)
  const write = responseWriter(operation, deps.formatTimestamp, settings)
  const isReadAtJob = ({ jobUuid }: CallOptions): boolean => settings.always202 === true && jobUuid !== undefined

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
      commit: refusingTakenUuid(operation, fields, commit),
      authorise: (tx) => authoriseIn(tx, request, scoped),
    }
  }

  const answer = ({ request, reply }: Exchange, options: CallOptions, kept: StoredResult): Sent => {
    if (options.preference !== undefined) reply.header('preference-applied', options.preference)
    return 'answer' in kept
      ? sendJson(request, reply, 200, write(request.headers, kept.answer))
      : answerFromJob({ request, reply }, options, kept.jobUuid)
  }

  const answerFromJob = async ({ request, reply }: Exchange, options: CallOptions, jobUuid: string) => {
    if (isReadAtJob(options)) return sendAccepted(request, reply, jobs, settings, jobUuid)
    using slot = waitingCalls.acquire((request.caller ?? anonymousCaller).userUuid)
    const row = await jobs.wait(jobUuid, slot ? options.holdMs : 0, deps.draining)
    const { caller } = request
    if (caller !== undefined && (await deps.credentials.current(caller)) === undefined) throw revoked(caller)
    const outcome = jobs.result(row)
    if (outcome !== undefined && 'answer' in outcome)
      return sendJson(request, reply, 200, write(request.headers, outcome.answer))
    // clients of the job protocol read failures only from the job
    if (outcome !== undefined && options.jobUuid === undefined) throw reviveFailure(outcome.failure)
    return sendAccepted(request, reply, jobs, settings, jobUuid)
  }

  const answerWith = (exchange: Exchange, options: CallOptions, result: object | undefined): Sent => {
    const { request, reply } = exchange
    if (operation.mode === 'stream') return reply
    const send = (): Sent => answer(exchange, options, storedResult(operation, result ?? {}))
    const { auditSource } = request
    if (auditSource === undefined || auditSource.isRecorded) return send()
    return auditedCalls.recordUnchanged(request, operation).then(send)
  }

  const answerWithin = (
    scoped: ScopedCall | undefined,
    exchange: Exchange,
    options: CallOptions,
    result: object | undefined,
  ): Sent =>
    scoped === undefined || result === undefined
      ? answerWith(exchange, options, result)
      : scoped.shown(result).then((shown) => answerWith(exchange, options, shown))

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
      ? result.then((settled) => answerWithin(scoped, exchange, options, settled))
      : answerWithin(scoped, exchange, options, result)
  }

  /** With an idempotency key: the change happens once. */
  const actOnce = async (exchange: Exchange, options: CallOptions, input: ScopedInput, key: string) => {
    const { request } = exchange
    const { scoped } = input
    const repeatable: RepeatableCall = {
      key,
      caller: request.caller ?? anonymousCaller,
      fingerprint: idempotency.fingerprint(request.method, request.raw.url ?? '', request.body),
    }
    await refuseReplay(request, deps.nonces)
    const before = await idempotency.find(repeatable)
    if (before) return answer(exchange, options, before)
    const caller = request.caller ?? anonymousCaller
    idempotency.refuseTooMany(caller.userUuid)
    let kept: StoredResult | undefined
    let isRefused = false
    const commit: Call['commit'] = async (work) => {
      const committed = await database.transaction(async (tx) => {
        isRefused = true
        await authoriseIn(tx, request, scoped)
        isRefused = false
        if (!(await idempotency.claim(tx, repeatable))) throw new AlreadyDone()
        const worked = await work(tx)
        const result = scoped ? await scoped.checkResult(tx, worked) : worked
        let keeps = storedResult(operation, result)
        if (isReadAtJob(options) && 'answer' in keeps) {
          await jobs.recordSuccess(tx, { caller, uuid: key }, operation.name, keeps.answer)
          keeps = { jobUuid: key }
        }
        await idempotency.storeResult(tx, repeatable, withSecretsHidden(operation, keeps))
        return { result, keeps }
      })
      kept = committed.keeps
      return committed.result
    }
    let result: object | undefined
    try {
      result = await handler(callOf(exchange, options, input, commit), exchange)
      // a call without a change has no transaction for the key
      if (isReadAtJob(options) && kept === undefined) await commit(async () => result ?? {})
    } catch (error) {
      // the rejection may be caused by the first call with this key
      const isDone = !isRefused && (error instanceof AlreadyDone || error instanceof ApiError)
      const first = isDone ? await idempotency.find(repeatable) : undefined
      if (first === undefined) throw error
      return answer(exchange, options, first)
    }
    return isReadAtJob(options) && kept !== undefined
      ? answer(exchange, options, kept)
      : answerWithin(scoped, exchange, options, result)
  }

  const actWithKey = (exchange: Exchange, options: CallOptions, input: ScopedInput, key: string | undefined): Sent =>
    key === undefined ? act(exchange, options, input) : actOnce(exchange, options, input, key)

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

  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined => {
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
      operation.method === 'GET' ? execute() : withSource(auditedCalls.open(request, reply, operation.name), execute)
    // a synchronous handover needs no wait
    return sent instanceof Promise ? sent : undefined
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

/** A job operation starts a job, or returns the answer directly when no work is needed. */
const storedResult = (operation: Operation, result: object): StoredResult =>
  operation.mode === 'job' && 'jobUuid' in result ? (result as { jobUuid: string }) : { answer: result }

const withSecretsHidden = (operation: Operation, kept: StoredResult): StoredResult =>
  'answer' in kept ? { answer: withoutShownOnce(operation, kept.answer) } : kept
