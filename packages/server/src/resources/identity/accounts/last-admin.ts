import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { AccountStore, UserRow } from './store.ts'

/** An admin who can manage everything; one of them always exists. */
export const isFullAdmin = ({ role, scope }: Pick<UserRow, 'role' | 'scope'>): boolean =>
  role === 'admin' && scope === '[]'

/** Refuses a change that would leave no full admin; `except`: those who are changed or deleted. */
export async function requireAnotherAdmin(
  store: AccountStore,
  tx: Tx,
  except: { userUuid?: string; accountUuid?: string },
  code: 'SYS.1004' | 'SYS.1006',
): Promise<void> {
  if ((await store.countAdmins(tx, except)) === 0)
    throw new ApiError(code, 'this is the last admin without a scope; create another one first')
}
