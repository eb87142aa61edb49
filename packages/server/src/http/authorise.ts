import { hasMoreRights, mayCall, type Operation } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { isSameScope, scopeText } from '@wharf/database/scope-conditions.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../calls/caller.ts'
import { keyRefusal } from '../calls/key-limits.ts'
import { revoked } from '../resources/identity/authenticate.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { Nonces } from '../resources/identity/request-signatures/nonces.ts'
import type { ServedBinding } from './exchange.ts'
import { nonceOf } from './rfc9421-headers.ts'
import { hasBody } from './slow-clients.ts'

/** By the role and the limits of an access key and then, if the path names an owner, by the user. */
export function authorise(
  { operation, authorise: more }: ServedBinding,
  caller: Caller,
  request: FastifyRequest,
): void {
  const refusal = refusalOf(operation, caller, request.ip)
  if (refusal) throw refusal
  more?.(caller, request.params as Record<string, string>)
}

/** Several actions share a path, and the body names the action: a caller who may call none of them is rejected early. */
export function authoriseAny(
  bindings: readonly [ServedBinding, ...ServedBinding[]],
  caller: Caller,
  request: FastifyRequest,
) {
  if (bindings.length === 1) return authorise(bindings[0], caller, request)
  const operations = bindings.map(({ operation }) => operation)
  const byRole = operations.filter((operation) => mayCall(caller.role, operation))
  const refusals = byRole.map((operation) => keyRefusal(caller, operation, request.ip))
  const names = operations.map(({ name }) => name).join(' or ')
  const refused = byRole.length === 0 ? missingRights(names, caller) : refusals[0]
  request.refusal = refusals.includes(undefined) ? undefined : refused
}

/** The one place where role and limits decide. */
export function refusalOf(operation: Operation, caller: Caller, source: string): ApiError | undefined {
  if (!mayCall(caller.role, operation)) return missingRights(operation.name, caller)
  if (operation.isForAllHosts && caller.scope !== undefined)
    return new ApiError(
      'ID.1002',
      `${operation.name} is about all hosts, and the caller is limited to ${scopeText(caller.scope)}; only a caller without a scope may call it`,
    )
  return keyRefusal(caller, operation, source)
}

const missingRights = (names: string, { role }: Pick<Caller, 'role'>): ApiError =>
  new ApiError('ID.1002', `${names} needs more rights than the role ${role} has; ask an admin`)

/** The credential may be revoked while a body arrives. Checked in memory, without a query. */
export function authoriseWithBody(
  bindings: readonly [ServedBinding, ...ServedBinding[]],
  request: FastifyRequest,
  credentials: Credentials,
): Promise<void> | undefined {
  const { caller } = request
  if (caller === undefined || caller.credential.kind === 'none' || !hasBody(request)) return undefined
  const admit = (current: Caller | undefined): void => {
    request.caller = current
    if (current === undefined) throw revoked(caller)
    if (current.role !== caller.role) authoriseAny(bindings, current, request)
  }
  const current = credentials.current(caller)
  if (current instanceof Promise) return current.then(admit)
  admit(current)
  return undefined
}

/** In the transaction of a change, by what the database contains: no other node can revoke it before the commit. */
export async function authoriseChange(
  tx: Tx,
  binding: ServedBinding,
  request: FastifyRequest,
  { credentials, nonces }: { credentials: Credentials; nonces: Nonces },
): Promise<void> {
  const { caller } = request
  if (caller === undefined || caller.credential.kind === 'none') return
  const locked = await credentials.lock(tx, caller)
  if (locked !== undefined) await useNonce(tx, request, nonces)
  if (locked === undefined) {
    request.caller = undefined
    throw revoked(caller)
  }
  const { role, scope } = locked
  // the checks before the transaction used the old scope
  if (!isSameScope(scope, caller.scope))
    throw new ApiError('ID.1002', 'the scope of this user or key was changed during the call; send the call again')
  if (role === caller.role) return
  authorise(binding, { ...caller, role }, request)
  // the checks before the transaction used the old role
  if (hasMoreRights(caller.role, role))
    throw new ApiError('ID.1002', `the role of this user was changed to ${role} during the call; send the call again`)
}

/** The change of a repeated call is none of its caller. */
async function useNonce(tx: Tx, request: FastifyRequest, nonces: Nonces): Promise<void> {
  const nonce = nonceOf(request)
  if (nonce === undefined) return
  try {
    await nonces.use(tx, nonce)
  } catch (error) {
    if (error instanceof ApiError) request.caller = undefined
    throw error
  }
}
