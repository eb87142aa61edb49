import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { Outbox } from '../../../events/outbox.ts'
import type { TagService } from '../../tags/service.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { requireAnotherAdmin } from './last-admin.ts'
import { AccountStore } from './store.ts'
import { adminLock, type UserChanges } from './user-changes.ts'

interface AccountDeletionDeps {
  readonly database: Database
  readonly events: Outbox
  readonly tags: Pick<TagService, 'detachAll'>
  readonly userChanges: UserChanges
}

/** Deletes accounts and users, with everything that belongs to them. */
export class AccountDeletions {
  readonly #deps: AccountDeletionDeps
  readonly #store: AccountStore
  readonly #listeners: ((tx: Tx, userUuid: string) => Promise<void>)[] = []

  constructor(deps: AccountDeletionDeps) {
    this.#deps = deps
    this.#store = new AccountStore(deps.database)
  }

  /** Runs in the transaction that deletes a user, after its row, so that nothing new can refer to it. */
  onUserDeleted(listener: (tx: Tx, userUuid: string) => Promise<void>): void {
    this.#listeners.push(listener)
  }

  async deleteAccount(tx: Tx, caller: Caller, uuid: string): Promise<void> {
    await this.#deps.database.lock(tx, adminLock)
    const account = await this.#store.findAccount(tx, uuid)
    if (account === undefined) throw notFound('account', uuid)
    const users = await this.#store.usersOf(tx, uuid)
    for (const { name, scope } of users) refuseBeyondScope(caller, `user ${name}`, scope)
    await requireAnotherAdmin(this.#store, tx, { accountUuid: uuid }, 'SYS.1004')
    // lock all users before the first deletion: a change of one may wait for a lock of another
    for (const user of users) await this.#deps.userChanges.lock(tx, user.uuid)
    for (const user of users) await this.#remove(tx, user.uuid)
    await this.#store.deleteAccount(tx, uuid)
    const images = { before: { ...account }, after: null }
    await this.#deps.events.record(tx, { type: 'Deleted', resourceType: 'Account', uuid, ...images })
  }

  async deleteUser(tx: Tx, caller: Caller, uuid: string): Promise<void> {
    await this.#deps.userChanges.lock(tx, uuid)
    const user = await this.#store.findUser(tx, uuid)
    if (user === undefined) throw notFound('user', uuid)
    refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    if (user.uuid === user.accountUuid)
      throw new ApiError('SYS.1004', 'this is the built-in user of its account; delete the account instead')
    if (user.role === 'admin') await requireAnotherAdmin(this.#store, tx, { userUuid: uuid }, 'SYS.1004')
    await this.#remove(tx, uuid)
  }

  async #remove(tx: Tx, uuid: string): Promise<void> {
    const keys = await this.#store.keysOf(tx, uuid)
    const user = await this.#store.findUser(tx, uuid)
    await this.#store.deleteUser(tx, uuid)
    for (const record of [...keys, { uuid }]) await this.#deps.tags.detachAll(tx, record.uuid)
    for (const listener of this.#listeners) await listener(tx, uuid)
    for (const key of keys)
      await this.#deps.events.record(tx, {
        type: 'Deleted',
        resourceType: 'AccessKey',
        uuid: key.uuid,
        audience: uuid,
        before: { ...key },
        after: null,
      })
    await this.#deps.events.record(tx, {
      type: 'Deleted',
      resourceType: 'User',
      uuid,
      before: { ...user },
      after: null,
    })
  }
}
