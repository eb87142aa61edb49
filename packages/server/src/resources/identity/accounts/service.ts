import type { AnswerOf, getCallerIdentity, Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { type CallerScope, checkedScope, readScope, scopeOf } from '@wharf/database/scope-conditions.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { sessionUuid } from '../../../audit/audit-source.ts'
import type { Caller, Credential } from '../../../calls/caller.ts'
import type { Events } from '../../../events/events.ts'
import type { TagService } from '../../tags/service.ts'
import { type Attempts, attemptName } from '../attempts.ts'
import type { HashClient, Passwords } from '../passwords.ts'
import type { SessionService } from '../sessions/service.ts'
import { lockUser, userLock } from '../user-lock.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { type AccountRow, AccountStore, type UserRow } from './store.ts'

export { lockUser } from '../user-lock.ts'
export { selectRole, selectScope } from './store.ts'

type CallerIdentity = AnswerOf<typeof getCallerIdentity>['inventory']

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

const shownCredential = (credential: Credential): Pick<CallerIdentity, 'credentialType' | 'credentialUuid'> =>
  credential.kind === 'key'
    ? { credentialType: 'AccessKey', credentialUuid: credential.uuid }
    : { credentialType: 'Session', credentialUuid: credential.kind === 'session' ? sessionUuid(credential.hash) : '' }

/** An admin who can manage everything; one of them always exists. */
const isFullAdmin = ({ role, scope }: Pick<UserRow, 'role' | 'scope'>): boolean => role === 'admin' && scope === '[]'

/** A role or a password that is set here would bypass the rules of the identity provider. */
function refuseProvidersUser({ source, name }: UserRow, structure: string): void {
  if (source === 'OIDC')
    throw new ApiError(
      'SYS.1006',
      `${structure}: user ${name} signs in with an identity provider, so it has no password and its role follows the rules in WHARF_OIDC_FILE; change its groups at the provider`,
    )
}

/** Serializes changes of roles, passwords and credentials. */
export const adminLock = 'admins'

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

interface AccountDeps {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly sessions: SessionService
  readonly tags: Pick<TagService, 'detachAll'>
  readonly passwords: Passwords
  readonly attempts: Attempts
}

/** Accounts, and the users in them. An account has one built-in user with the same uuid. */
export class AccountService {
  readonly #deps: AccountDeps
  readonly #store: AccountStore
  readonly #deletionListeners: ((tx: Tx, userUuid: string) => Promise<void>)[] = []

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
    const uuid = account.resourceUuid ?? newUuid()
    const { name, description = null } = account
    const row = { uuid, name, description, createDate: now, lastOpDate: now }
    if (!(await this.#store.insertAccount(tx, row)))
      throw new ApiError(
        'SYS.1002',
        `an account with the name ${name} or this uuid exists already; choose another name`,
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
    return this.#insertUser(tx, user.resourceUuid ?? newUuid(), accountUuid, user, caller)
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
      throw new ApiError('SYS.1002', `a user with the name ${name} or this uuid exists already; choose another name`)
    await this.#deps.events.record(tx, { type: 'Created', resourceType: 'User', uuid, before: null, after: { ...row } })
    return row
  }

  /** A caller that is not an admin may change only the account whose built-in user it is. */
  refuseOthers(caller: Caller, accountUuid: string): void {
    if (caller.role !== 'admin' && caller.userUuid !== accountUuid)
      throw new ApiError('ID.1002', 'only an admin may change another account')
  }

  /**
   * Verifies the old password before the transaction, because hashing is slow. Returns the hash that it was compared
   * with, for the transaction to compare again.
   */
  async checkPasswordChange(
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
    if (await this.#isPassword(user, oldPassword, guesser)) return user.passwordHash
    throw wrongOldPassword('updateAccount.oldPassword')
  }

  /** As `checkPasswordChange`, for the caller's own user, who always proves the current password. */
  async checkOwnPassword(
    caller: Caller,
    oldPassword: string,
    guesser: Guesser,
    field = 'changeOwnPassword.oldPassword',
  ): Promise<string> {
    const user = await this.#store.readUser(caller.userUuid)
    if (user === undefined) throw notFound('user', caller.userUuid)
    refuseProvidersUser(user, field.split('.')[0] ?? field)
    if (await this.#isPassword(user, oldPassword, guesser)) return user.passwordHash
    throw wrongOldPassword(field)
  }

  /** Wrong guesses count as failed sign-ins. */
  async #isPassword(user: UserRow, given: string, { source, client }: Guesser): Promise<boolean> {
    const name = attemptName.user(user.accountUuid, user.name)
    const beforeHash = (): void => this.#deps.attempts.refuseBlocked(source, name)
    beforeHash()
    if (await this.#deps.passwords.verify(user.passwordHash, given, { client, beforeHash })) return true
    this.#deps.attempts.failed(source, name)
    return false
  }

  async identityOf({ userUuid, role, scope, credential }: Caller): Promise<CallerIdentity> {
    const user = await this.#store.readNames(userUuid)
    // deleted since the call was authenticated
    if (user === undefined) throw new ApiError('ID.1001', 'the user of this credential does not exist')
    const hasBootstrapPassword = user.hasBootstrapPassword === 1
    return {
      ...user,
      hasBootstrapPassword,
      userUuid,
      role,
      scope: [...(scope?.texts ?? [])],
      ...shownCredential(credential),
    }
  }

  async passwordIs(userUuid: string, password: string): Promise<boolean> {
    const user = await this.#store.readUser(userUuid)
    return this.#deps.passwords.verify(user?.passwordHash, password)
  }

  /**
   * `before` is the hash that the old password was compared with; another call may have changed it since. With `isRestored` the
   * account may sign in with the password whatever WHARF_LOCAL_LOGIN is, until it is changed again.
   */
  async setAccountPassword(
    tx: Tx,
    caller: Caller,
    uuid: string,
    passwordHash: string,
    { before, isRestored = false }: { before?: string | undefined; isRestored?: boolean } = {},
  ): Promise<AccountRow> {
    await this.#lock(tx, uuid)
    const account = await this.#store.findAccount(tx, uuid)
    if (account === undefined) throw notFound('account', uuid)
    // the old password allows a sign-in without the scope of a key
    if (before === undefined) await this.#refuseBeyondScope(tx, caller, uuid)
    if (before !== undefined && (await lockUser(tx, this.#deps.database.engine, uuid))?.passwordHash !== before)
      throw wrongOldPassword('updateAccount.oldPassword')
    const lastOpDate = this.#deps.clock.now()
    await this.#store.touchAccount(tx, uuid, lastOpDate)
    await this.#changeUser(tx, caller, uuid, { passwordHash, lastOpDate }, isRestored)
    const images = { before: { ...account }, after: { ...account, lastOpDate } }
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'Account', uuid, ...images })
    return images.after
  }

  /** `before` is the hash that the old password was compared with; another call may have changed it since. */
  async setOwnPassword(tx: Tx, caller: Caller, passwordHash: string, before: string): Promise<UserRow> {
    await this.#lock(tx, caller.userUuid)
    const user = await this.#store.findUser(tx, caller.userUuid)
    if (user === undefined) throw notFound('user', caller.userUuid)
    if (user.passwordHash !== before) throw wrongOldPassword('changeOwnPassword.oldPassword')
    const lastOpDate = this.#deps.clock.now()
    await this.#changeUser(tx, caller, user.uuid, { passwordHash, lastOpDate })
    return { ...user, lastOpDate }
  }

  async updateUser(tx: Tx, caller: Caller, uuid: string, { scope: given, ...change }: UserChange): Promise<UserRow> {
    await this.#lock(tx, uuid)
    const user = await this.#store.findUser(tx, uuid)
    if (user === undefined) throw notFound('user', uuid)
    refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    if (change.passwordHash !== undefined || change.role !== undefined) refuseProvidersUser(user, 'updateUser')
    const scope = given === undefined ? user.scope : grantedScope(caller, given, 'updateUser.scope')
    const changed = { ...user, ...change, scope, lastOpDate: this.#deps.clock.now() }
    if (isFullAdmin(user) && !isFullAdmin(changed)) await this.#keepAnAdmin(tx, { userUuid: uuid }, 'SYS.1006')
    await this.#changeUser(tx, caller, uuid, { ...change, scope, lastOpDate: changed.lastOpDate })
    return changed
  }

  async #changeUser(
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

  async deleteAccount(tx: Tx, caller: Caller, uuid: string): Promise<void> {
    await this.#deps.database.lock(tx, adminLock)
    const account = await this.#store.findAccount(tx, uuid)
    if (account === undefined) throw notFound('account', uuid)
    const users = await this.#store.usersOf(tx, uuid)
    for (const { name, scope } of users) refuseBeyondScope(caller, `user ${name}`, scope)
    await this.#keepAnAdmin(tx, { accountUuid: uuid }, 'SYS.1004')
    // lock all users before the first deletion: a change of one may wait for a lock of another
    for (const user of users) await this.#lock(tx, user.uuid)
    for (const user of users) await this.#removeUser(tx, user.uuid)
    await this.#store.deleteAccount(tx, uuid)
    const images = { before: { ...account }, after: null }
    await this.#deps.events.record(tx, { type: 'Deleted', resourceType: 'Account', uuid, ...images })
  }

  async deleteUser(tx: Tx, caller: Caller, uuid: string): Promise<void> {
    await this.#lock(tx, uuid)
    const user = await this.#store.findUser(tx, uuid)
    if (user === undefined) throw notFound('user', uuid)
    refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    if (user.uuid === user.accountUuid)
      throw new ApiError('SYS.1004', 'this is the built-in user of its account; delete the account instead')
    if (user.role === 'admin') await this.#keepAnAdmin(tx, { userUuid: uuid }, 'SYS.1004')
    await this.#removeUser(tx, uuid)
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

  /** Runs in the transaction that deletes a user, after its row, so that nothing new can refer to it. */
  onUserDeleted(listener: (tx: Tx, userUuid: string) => Promise<void>): void {
    this.#deletionListeners.push(listener)
  }

  async #removeUser(tx: Tx, uuid: string): Promise<void> {
    const keys = await this.#store.keysOf(tx, uuid)
    const user = await this.#store.findUser(tx, uuid)
    await this.#store.deleteUser(tx, uuid)
    for (const record of [...keys, { uuid }]) await this.#deps.tags.detachAll(tx, record.uuid)
    for (const listener of this.#deletionListeners) await listener(tx, uuid)
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

  async #refuseBeyondScope(tx: Tx, caller: Caller, userUuid: string): Promise<void> {
    const user = caller.scope === undefined ? undefined : await this.#store.findUser(tx, userUuid)
    if (user) refuseBeyondScope(caller, `user ${user.name}`, user.scope)
  }

  async #lock(tx: Tx, userUuid: string): Promise<void> {
    await this.#deps.database.lock(tx, adminLock)
    await this.#deps.database.lock(tx, userLock(userUuid))
  }

  async #keepAnAdmin(tx: Tx, except: { userUuid?: string; accountUuid?: string }, code: 'SYS.1004' | 'SYS.1006') {
    if ((await this.#store.countAdmins(tx, except)) === 0)
      throw new ApiError(code, 'this is the last admin without a scope; create another one first')
  }
}
