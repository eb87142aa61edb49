import type { Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { type CallerScope, checkedScope, readScope, scopeOf } from '@wharf/database/scope-conditions.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { Outbox } from '../../../events/outbox.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { isFullAdmin, requireAnotherAdmin } from './last-admin.ts'
import { type AccountRow, AccountStore, type UserRow } from './store.ts'
import { refuseProvidersUser, type UserChanges } from './user-changes.ts'

export { lockUser } from '../user-lock.ts'
export { selectRole, selectScope } from './store.ts'

interface NewUser {
  name: string
  /** Hashed before the transaction starts: hashing is slow on purpose, and writers wait for each other. */
  passwordHash: string
  hasBootstrapPassword?: boolean
  role?: Role | undefined
  scope?: readonly string[] | undefined
  description?: string | undefined
  resourceUuid?: string | undefined
}

interface UserChange {
  passwordHash?: string
  role?: Role
  scope?: readonly string[]
}

/** A caller with a scope gives it to every user that it creates or changes. */
const grantedScope = (caller: Pick<Caller, 'scope'> | undefined, given: readonly string[], field: string): string =>
  JSON.stringify([...new Set([...(caller?.scope?.texts ?? []), ...checkedScope(given, field)])])

/** The record as answers have it. */
export const userInventory = (row: UserRow) => ({
  ...row,
  scope: readScope(row.scope),
  hasSecondFactor: row.hasSecondFactor === 1,
})

interface AccountDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly userChanges: UserChanges
}

/** Accounts, and the users in them. An account has one built-in user with the same uuid. */
export class AccountService {
  readonly #deps: AccountDeps
  readonly #store: AccountStore

  constructor(deps: AccountDeps) {
    this.#deps = deps
    this.#store = new AccountStore(deps.database)
  }

  /** True before the first start has created the admin. */
  isEmpty(tx: Tx): Promise<boolean> {
    return this.#store.isEmpty(tx)
  }

  findByName(name: string): Promise<AccountRow | undefined> {
    return this.#store.findByName(name)
  }

  /** `caller` is absent at the first start. */
  async createAccount(tx: Tx, account: NewUser, caller?: Caller): Promise<AccountRow> {
    const now = this.#deps.clock.now()
    const uuid = account.resourceUuid ?? newSequentialUuid()
    const { name, description = null } = account
    const row = { uuid, name, description, createDate: now, lastOpDate: now }
    if (!(await this.#store.insertAccount(tx, row)))
      throw new ApiError(
        'SYS.1002',
        `an account with the name ${name} or this uuid already exists; choose another name`,
      )
    await this.#insertUser(tx, uuid, uuid, { ...account, role: account.role ?? 'operator' }, caller)
    await this.#deps.events.record(tx, {
      type: 'Created',
      resourceType: 'Account',
      uuid,
      before: null,
      after: { ...row },
    })
    return row
  }

  async createUser(tx: Tx, accountUuid: string, user: NewUser, caller?: Caller): Promise<UserRow> {
    if ((await this.#store.findAccount(tx, accountUuid)) === undefined) throw notFound('account', accountUuid)
    return this.#insertUser(tx, user.resourceUuid ?? newSequentialUuid(), accountUuid, user, caller)
  }

  async #insertUser(
    tx: Tx,
    uuid: string,
    accountUuid: string,
    user: NewUser,
    caller: Caller | undefined,
  ): Promise<UserRow> {
    const now = this.#deps.clock.now()
    const { name, passwordHash, role = 'reader', description = null } = user
    const scope = grantedScope(caller, user.scope ?? [], 'params.scope')
    const hasBootstrapPassword = user.hasBootstrapPassword ? 1 : 0
    const local = { source: 'Local', issuer: null, subject: null, isLocalLoginRestored: 0 } as const
    const named = { uuid, accountUuid, name, description, createDate: now, lastOpDate: now }
    const flags = { hasBootstrapPassword, hasSecondFactor: 0 }
    const row = { ...named, ...local, ...flags, role, scope, passwordHash }
    if (!(await this.#store.insertUser(tx, row)))
      throw new ApiError('SYS.1002', `a user with the name ${name} or this uuid already exists; choose another name`)
    await this.#deps.events.record(tx, { type: 'Created', resourceType: 'User', uuid, before: null, after: { ...row } })
    return row
  }

  /** A caller that is not an admin may change only the account whose built-in user it is. */
  refuseOthers(caller: Caller, accountUuid: string): void {
    if (caller.role !== 'admin' && caller.userUuid !== accountUuid)
      throw new ApiError('ID.1002', 'only an admin may change another account')
  }

  async updateUser(tx: Tx, caller: Caller, uuid: string, { scope: given, ...change }: UserChange): Promise<UserRow> {
    await this.#deps.userChanges.lock(tx, uuid)
    const user = await this.#store.findUser(tx, uuid)
    if (user === undefined) throw notFound('user', uuid)
    refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    if (change.passwordHash !== undefined || change.role !== undefined) refuseProvidersUser(user, 'updateUser')
    const scope = given === undefined ? user.scope : grantedScope(caller, given, 'updateUser.scope')
    const changed = { ...user, ...change, scope, lastOpDate: this.#deps.clock.now() }
    if (isFullAdmin(user) && !isFullAdmin(changed))
      await requireAnotherAdmin(this.#store, tx, { userUuid: uuid }, 'SYS.1006')
    await this.#deps.userChanges.apply(tx, caller, uuid, { ...change, scope, lastOpDate: changed.lastOpDate })
    return changed
  }

  async hasSecondFactor(tx: Tx, userUuid: string): Promise<boolean> {
    return (await this.#store.findUser(tx, userUuid))?.hasSecondFactor === 1
  }

  async userExists(tx: Tx, userUuid: string): Promise<boolean> {
    return (await this.#store.findUser(tx, userUuid)) !== undefined
  }

  /** Of the user of the call, whose row the transaction has locked. */
  async nameOf(tx: Tx, userUuid: string): Promise<string> {
    return (await this.#store.findUser(tx, userUuid))?.name ?? userUuid
  }

  /** The least role for a user that was deleted. */
  async currentUser(
    tx: Tx,
    userUuid: string,
  ): Promise<{ role: Role; userName: string; scope: CallerScope | undefined }> {
    const { role = 'reader', name: userName = '', scope = '[]' } = (await this.#store.findUser(tx, userUuid)) ?? {}
    return { role, userName, scope: scopeOf(userUuid, readScope(scope)) }
  }

  /** The user of an account that has only one. */
  async findOnlyUser(accountUuid: string): Promise<string | undefined> {
    const [user, ...others] = await this.#store.usersOf(this.#deps.database.read, accountUuid)
    return others.length === 0 ? user?.uuid : undefined
  }
}
