import { hasMoreRights, mayCall, type Operation } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../calls/caller.ts'
import { revoked } from '../resources/identity/authenticate.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { ServedBinding } from './exchange.ts'
import { hasBody } from './slow-clients.ts'

/** By the role and, if the path names an owner, by the user. */
export function authorise(
  { operation, authorise: more }: ServedBinding,
  caller: Caller,
  request: FastifyRequest,
): void {
  if (!mayCall(caller.role, operation)) throw missingRights(operation.name, caller)
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
  const mayAny = operations.some((operation) => mayCall(caller.role, operation))
  request.refusal = mayAny ? undefined : missingRights(operations.map(({ name }) => name).join(' or '), caller)
}

const missingRights = (names: Operation['name'], { role }: Pick<Caller, 'role'>): ApiError =>
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
  credentials: Credentials,
): Promise<void> {
  const { caller } = request
  if (caller === undefined || caller.credential.kind === 'none') return
  const role = await credentials.lock(tx, caller)
  if (role === caller.role) return
  if (role === undefined) {
    request.caller = undefined
    throw revoked(caller)
  }
  authorise(binding, { ...caller, role }, request)
  // the checks before the transaction used the old role
  if (hasMoreRights(caller.role, role))
    throw new ApiError('ID.1002', `the role of this user was changed to ${role} during the call; send the call again`)
}
