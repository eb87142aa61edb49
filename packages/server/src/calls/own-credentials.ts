import { scopeText } from '@wharf/database/scope-conditions.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Caller } from './caller.ts'

/**
 * Refuses a caller with a scope whose call would use a credential that it did not send, such as the key of the server, or reach the
 * machine of the server, which needs none: both reach hosts outside the scope.
 */
export function refuseForScope({ scope }: Pick<Caller, 'scope'>, fact: string, remedy: string): void {
  if (scope === undefined) return
  throw new ApiError(
    'ID.1002',
    `${fact}, which is refused to a caller with a scope (${scopeText(scope)}); ${remedy}, or let an admin without a scope do it`,
  )
}

/** Without a key in the call, Wharf signs in with its own. */
export function requireOwnKey(caller: Pick<Caller, 'scope'>, privateKey: string | undefined): void {
  if (privateKey === undefined)
    refuseForScope(
      caller,
      'privateKey is missing, so that Wharf would sign in with its own key',
      'send a private key of your own',
    )
}
