import type { Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { Outbox } from '../../../events/outbox.ts'
import type { SessionService } from '../sessions/service.ts'
import { userLock } from '../user-lock.ts'
import { AccountStore, type UserRow } from './store.ts'

/** Serializes changes of roles, passwords and credentials. */
export const adminLock = 'admins'

/** A role or a password that is set here would bypass the rules of the identity provider. */
export function refuseProvidersUser({ source, name }: UserRow, structure: string): void {
  if (source === 'OIDC')
    throw new ApiError(
      'SYS.1006',
      `${structure}: user ${name} signs in with an identity provider, so it has no password and its role follows the rules in WHARF_OIDC_FILE; change its groups at the provider`,
    )
}

interface UserChangeDeps {
  readonly database: Database
  readonly events: Outbox
  readonly sessions: SessionService
}

/** What every change of a user does: the locks, the sessions that it ends, and the event. */
export class UserChanges {
  readonly #deps: UserChangeDeps
  readonly #store: AccountStore

  constructor(deps: UserChangeDeps) {
    this.#deps = deps
    this.#store = new AccountStore(deps.database)
  }

  async lock(tx: Tx, userUuid: string): Promise<void> {
    await this.#deps.database.lock(tx, adminLock)
    await this.#deps.database.lock(tx, userLock(userUuid))
  }

  async apply(
    tx: Tx,
    caller: Caller,
    uuid: string,
    change: { passwordHash?: string; role?: Role; scope?: string; lastOpDate: number },
    isRestored = false,
  ) {
    const before = await this.#store.findUser(tx, uuid)
    if (before === undefined) throw notFound('user', uuid)
    const flags = { hasBootstrapPassword: 0, isLocalLoginRestored: isRestored ? 1 : 0 }
    const changed = { ...change, ...(change.passwordHash === undefined ? {} : flags) }
    await this.#store.updateUser(tx, uuid, changed)
    // all sessions end but that of the caller
    if (change.passwordHash !== undefined) await this.#deps.sessions.endAllOf(tx, uuid, caller.credential)
    const images = { before: { ...before }, after: { ...before, ...changed } }
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'User', uuid, ...images })
  }
}
