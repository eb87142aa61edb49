import { ApiError } from '@wharf/platform/api-error.ts'
import type { UserRow } from './accounts/store.ts'

/** Who may sign in with a password: WHARF_LOCAL_LOGIN. */
export type LocalLogin = 'all' | 'admins' | 'none'

/** For a user whose password is correct, so that nobody else learns its role. */
export function refuseLocalLogin(
  localLogin: LocalLogin,
  { role, name, isLocalLoginRestored }: Pick<UserRow, 'role' | 'name' | 'isLocalLoginRestored'>,
): void {
  if (localLogin === 'all' || isLocalLoginRestored === 1 || (localLogin === 'admins' && role === 'admin')) return
  const who = localLogin === 'none' ? 'nobody' : 'only admins'
  throw new ApiError(
    'ID.1002',
    `${name} may not sign in with a password: WHARF_LOCAL_LOGIN=${localLogin} allows it to ${who}; sign in with an identity provider`,
  )
}
