import { hash } from 'node:crypto'
import type { Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Outbox } from '../../../events/outbox.ts'
import type { AccessKeyService } from '../access-keys/service.ts'
import { AccountStore, type UserRow } from '../accounts/store.ts'
import { adminLock } from '../accounts/user-changes.ts'
import type { SessionService } from '../sessions/service.ts'
import { userLock } from '../user-lock.ts'
import type { OidcProvider, OidcRule } from './provider-file.ts'

/** Who a user is at a provider. Names and e-mail addresses can be given to somebody else; this cannot. */
export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
}

interface OidcUserDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly sessions: SessionService
  readonly keys: AccessKeyService
}

const noPassword = ''
const leastRole: Role = 'reader'
const noCredential = { kind: 'none' } as const

/** The users of identity providers: their roles and accounts are those of the rules at the last sign-in or refresh. */
export class OidcUsers {
  readonly #deps: OidcUserDeps
  readonly #store: AccountStore

  constructor(deps: OidcUserDeps) {
    this.#deps = deps
    this.#store = new AccountStore(deps.database)
  }

  /** The user, created or changed to what the rule grants. Locked until the transaction ends. */
  async admit(
    tx: Tx,
    identity: OidcIdentity & { readonly name: string },
    { role, account }: OidcRule,
    provider: OidcProvider,
  ): Promise<UserRow> {
    await this.#deps.database.lock(tx, adminLock)
    const granted = await this.#store.findAccountByName(tx, account)
    if (granted === undefined)
      throw new ApiError(
        'ID.1002',
        `a rule of identity provider "${provider.label}" names account ${account}, which does not exist; an admin creates it, or corrects WHARF_OIDC_FILE`,
      )
    const user = await this.#store.findBySubject(tx, identity)
    if (user === undefined) return this.#create(tx, identity, { role, accountUuid: granted.uuid }, provider)
    await this.#deps.database.lock(tx, userLock(user.uuid))
    if (user.role === role && user.accountUuid === granted.uuid) return user
    if (user.accountUuid !== granted.uuid) await this.#leaveAccount(tx, user, granted.uuid)
    const name =
      user.accountUuid === granted.uuid ? user.name : await this.#freeName(tx, granted.uuid, user.name, identity)
    return this.#change(tx, user, { role, accountUuid: granted.uuid, name })
  }

  async exists(tx: Tx, identity: OidcIdentity): Promise<boolean> {
    return (await this.#store.findBySubject(tx, identity)) !== undefined
  }

  /** No rule applies any more: the user keeps its record, and nothing that gives access. */
  async deny(tx: Tx, identity: OidcIdentity): Promise<void> {
    await this.#deps.database.lock(tx, adminLock)
    const user = await this.#store.findBySubject(tx, identity)
    if (user === undefined) return
    await this.#deps.database.lock(tx, userLock(user.uuid))
    await this.#deps.sessions.endAllOf(tx, user.uuid, noCredential)
    await this.#deps.keys.disableAllOf(tx, user.uuid)
    if (user.role !== leastRole) await this.#change(tx, user, { role: leastRole })
  }

  async #create(
    tx: Tx,
    identity: OidcIdentity & { readonly name: string },
    grant: { role: Role; accountUuid: string },
    { label }: OidcProvider,
  ): Promise<UserRow> {
    const { issuer, subject } = identity
    const now = this.#deps.clock.now()
    const uuid = newSequentialUuid()
    const row: UserRow = {
      uuid,
      ...grant,
      name: await this.#freeName(tx, grant.accountUuid, identity.name, identity),
      scope: '[]',
      passwordHash: noPassword,
      description: label,
      source: 'OIDC',
      issuer,
      subject,
      hasBootstrapPassword: 0,
      hasSecondFactor: 0,
      isLocalLoginRestored: 0,
      createDate: now,
      lastOpDate: now,
    }
    if (!(await this.#store.insertUser(tx, row)))
      throw new ApiError('SYS.1002', `user ${row.name} was created by another sign-in at the same time; sign in again`)
    await this.#deps.events.record(tx, { type: 'Created', resourceType: 'User', uuid, before: null, after: { ...row } })
    return row
  }

  /** Another user of the account may have the name, and is never confused with this one. */
  async #freeName(tx: Tx, accountUuid: string, name: string, { issuer, subject }: OidcIdentity): Promise<string> {
    const taken = new Set((await this.#store.usersOf(tx, accountUuid)).map((user) => user.name))
    if (!taken.has(name)) return name
    return `${name} (${hash('sha256', `${issuer} ${subject}`).slice(0, 8)})`
  }

  /** Sessions and jobs of the user belong to the account; keys follow the user. */
  async #leaveAccount(tx: Tx, { uuid }: UserRow, accountUuid: string): Promise<void> {
    await this.#deps.sessions.endAllOf(tx, uuid, noCredential)
    await this.#deps.keys.moveAllOf(tx, uuid, accountUuid)
  }

  async #change(tx: Tx, user: UserRow, change: { role: Role; accountUuid?: string; name?: string }): Promise<UserRow> {
    const changed = { ...user, ...change, lastOpDate: this.#deps.clock.now() }
    await this.#store.updateUser(tx, user.uuid, { ...change, lastOpDate: changed.lastOpDate })
    const images = { before: { ...user }, after: { ...changed } }
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'User', uuid: user.uuid, ...images })
    return changed
  }
}
