import { isWithinScope, readScope, scopeText } from '@wharf/database/scope-conditions.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Caller } from '../../calls/caller.ts'

/**
 * A caller with a scope manages only users and keys that have at least the same scope: it could sign in as the others.
 * `scopes` are those of the user and of the key, as JSON.
 */
export function refuseBeyondScope({ scope }: Pick<Caller, 'scope'>, managed: string, ...scopes: string[]): void {
  if (scope === undefined || isWithinScope(scope, scopes.flatMap(readScope))) return
  throw new ApiError(
    'ID.1002',
    `the scope of ${managed} does not contain that of the caller (${scopeText(scope)}); only a caller without this scope may manage it`,
  )
}
