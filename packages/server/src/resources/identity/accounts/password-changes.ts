import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { Outbox } from '../../../events/outbox.ts'
import { attemptName, type LoginThrottle } from '../login-throttle.ts'
import type { HashClient, Passwords } from '../passwords.ts'
import { lockUser } from '../user-lock.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { type AccountRow, AccountStore, type UserRow } from './store.ts'
import { refuseProvidersUser, type UserChanges } from './user-changes.ts'

const wrongOldPassword = (field: string): ApiError =>
  new ApiError(
    'ID.1002',
    `${field} is not the current password; enter the current one, or ask an admin to set a new one`,
  )

/** The client of a call, for the limits of guesses and of hashes. */
interface Guesser {
  readonly source: string
  readonly client: HashClient
}

interface PasswordChangeDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly userChanges: UserChanges
  readonly passwords: Passwords
  readonly attempts: LoginThrottle
}

/** New passwords of accounts and users: who may set one, and what proves it. */
export class PasswordChanges {
  readonly #deps: PasswordChangeDeps
  readonly #store: AccountStore

  constructor(deps: PasswordChangeDeps) {
    this.#deps = deps
    this.#store = new AccountStore(deps.database)
  }

  /**
   * Verifies the old password before the transaction, because hashing is slow. Returns the hash that it was compared
   * with, for the transaction to compare again.
   */
  async checkOfAccount(
    caller: Caller,
    accountUuid: string,
    oldPassword: string | undefined,
    guesser: Guesser,
  ): Promise<string | undefined> {
    const user = await this.#store.readUser(accountUuid)
    if (user === undefined) throw notFound('account', accountUuid)
    if (oldPassword === undefined) {
      if (caller.role !== 'admin') throw invalid('updateAccount.oldPassword is required to change your own password')
      return undefined
    }
    if (await this.#isRight(user, oldPassword, guesser)) return user.passwordHash
    throw wrongOldPassword('updateAccount.oldPassword')
  }

  /** As `checkOfAccount`, for the caller's own user, who always proves the current password. */
  async checkOwn(
    caller: Caller,
    oldPassword: string,
    guesser: Guesser,
    field = 'changeOwnPassword.oldPassword',
  ): Promise<string> {
    const user = await this.#store.readUser(caller.userUuid)
    if (user === undefined) throw notFound('user', caller.userUuid)
    refuseProvidersUser(user, field.split('.')[0] ?? field)
    if (await this.#isRight(user, oldPassword, guesser)) return user.passwordHash
    throw wrongOldPassword(field)
  }

  /** Wrong guesses count as failed sign-ins. */
  async #isRight(user: UserRow, given: string, { source, client }: Guesser): Promise<boolean> {
    const name = attemptName.user(user.accountUuid, user.name)
    const beforeHash = (): void => this.#deps.attempts.refuseBlocked(source, name)
    beforeHash()
    if (await this.#deps.passwords.verify(user.passwordHash, given, { client, beforeHash })) return true
    this.#deps.attempts.failed(source, name)
    return false
  }

  async isPasswordOf(userUuid: string, password: string): Promise<boolean> {
    const user = await this.#store.readUser(userUuid)
    return this.#deps.passwords.verify(user?.passwordHash, password)
  }

  /**
   * `before` is the hash that the old password was compared with; another call may have changed it since. With `isRestored` the
   * account may sign in with the password whatever WHARF_LOCAL_LOGIN is, until it is changed again.
   */
  async setOfAccount(
    tx: Tx,
    caller: Caller,
    uuid: string,
    passwordHash: string,
    { before, isRestored = false }: { before?: string | undefined; isRestored?: boolean } = {},
  ): Promise<AccountRow> {
    await this.#deps.userChanges.lock(tx, uuid)
    const account = await this.#store.findAccount(tx, uuid)
    if (account === undefined) throw notFound('account', uuid)
    // the old password allows a sign-in without the scope of a key
    if (before === undefined) await this.#refuseBeyondScope(tx, caller, uuid)
    else if ((await lockUser(tx, this.#deps.database.engine, uuid))?.passwordHash !== before)
      throw wrongOldPassword('updateAccount.oldPassword')
    const lastOpDate = this.#deps.clock.now()
    await this.#store.touchAccount(tx, uuid, lastOpDate)
    await this.#deps.userChanges.apply(tx, caller, uuid, { passwordHash, lastOpDate }, isRestored)
    const images = { before: { ...account }, after: { ...account, lastOpDate } }
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'Account', uuid, ...images })
    return images.after
  }

  /** `before` is the hash that the old password was compared with; another call may have changed it since. */
  async setOwn(tx: Tx, caller: Caller, passwordHash: string, before: string): Promise<UserRow> {
    await this.#deps.userChanges.lock(tx, caller.userUuid)
    const user = await this.#store.findUser(tx, caller.userUuid)
    if (user === undefined) throw notFound('user', caller.userUuid)
    if (user.passwordHash !== before) throw wrongOldPassword('changeOwnPassword.oldPassword')
    const lastOpDate = this.#deps.clock.now()
    await this.#deps.userChanges.apply(tx, caller, user.uuid, { passwordHash, lastOpDate })
    return { ...user, lastOpDate }
  }

  async #refuseBeyondScope(tx: Tx, caller: Caller, userUuid: string): Promise<void> {
    const user = caller.scope === undefined ? undefined : await this.#store.findUser(tx, userUuid)
    if (user) refuseBeyondScope(caller, `user ${user.name}`, user.scope)
  }
}
