import { randomBytes } from 'node:crypto'
import { hasMoreRights, type SessionKind, wrongCredential } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { anonymousActor, identifyCaller, sessionUuid } from '../../../audit/audit-source.ts'
import type { Caller, Credential } from '../../../calls/caller.ts'
import { type Images, internalAudience, type Outbox } from '../../../events/outbox.ts'
import { AccountStore, type UserRow } from '../accounts/store.ts'
import { sessionIdleMs } from '../authenticate.ts'
import type { Credentials } from '../credentials.ts'
import { type LocalLogin, refuseLocalLogin } from '../local-login.ts'
import { attemptName, type LoginThrottle, sourceNetwork } from '../login-throttle.ts'
import type { Passwords } from '../passwords.ts'
import type { Proof } from '../second-factors/proof.ts'
import type { SecondFactorService } from '../second-factors/service.ts'
import { lockUser, userLock } from '../user-lock.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { type SessionRow, SessionStore } from './store.ts'

const maxPerUser = 500

const wrongLogin = (): ApiError => new ApiError('ID.1000', wrongCredential.password)
const wrongSecondFactor = (): ApiError =>
  new ApiError(
    'ID.1000',
    'the second factor is wrong or was used before; enter the next code of the authenticator app, a recovery code, or use a passkey',
  )

/** Without the uuid, which may be a session id that was sent by mistake. */
const unknownSession = (): ApiError =>
  new ApiError('SYS.1003', 'there is no session with this uuid; it is the uuid of a listed session, not a session id')

interface Login {
  account: { name?: string; uuid?: string }
  userName?: string
  password: string
  secondFactor?: string | undefined
  /** In which the call names its fields. */
  structure: 'logInByAccount' | 'logInByUser'
  source: string
  userAgent: string | null
  /** The address of the API as the client reaches it. */
  address: () => string
  disconnectSignal: () => AbortSignal
}

/** How and from where a session is created. */
export interface SessionOrigin {
  readonly kind: SessionKind
  /** The User-Agent of the client, at most 256 characters. */
  readonly client: string | null
  readonly address: string
  /** How long it lasts at most, however it is used; defaults to the limit of all sessions. */
  readonly maxMs?: number
}

type NewSessionUser = Pick<UserRow, 'uuid' | 'accountUuid' | 'name' | 'role'>

interface SessionDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly credentials: Credentials
  readonly attempts: LoginThrottle
  readonly passwords: Passwords
  readonly settings: { readonly localLogin: LocalLogin }
  readonly secondFactors: SecondFactorService
}

export class SessionService {
  readonly #deps: SessionDeps
  readonly #store = new SessionStore()
  readonly #accounts: AccountStore
  /** When each cached session was last written, so that an unused one is not written again. */
  #writtenUpTo = 0

  constructor(deps: SessionDeps) {
    this.#deps = deps
    this.#accounts = new AccountStore(deps.database)
  }

  async logIn({ account, userName, password, source, userAgent, disconnectSignal, ...login }: Login) {
    if (account.name === undefined && account.uuid === undefined)
      throw invalid('logInByUser.accountName or logInByUser.accountUuid is required')
    identifyCaller({ ...anonymousActor, actorName: userName ?? account.name ?? null })
    const { accountUuid, user } = await this.#accounts.findForLogin(account, userName ?? account.name ?? '')
    const name =
      accountUuid === undefined
        ? attemptName.userOfUnknownAccount(account, userName)
        : attemptName.user(accountUuid, userName ?? account.name ?? '')
    const beforeHash = (): void => this.#deps.attempts.refuseBlocked(source, name)
    beforeHash()
    const client = { share: sourceNetwork(source), disconnectSignal }
    // an unknown name is checked against a random hash: same time, same response
    if (
      !(await this.#deps.passwords.verify(user?.passwordHash, password, { client, beforeHash })) ||
      user === undefined
    ) {
      this.#deps.attempts.failed(source, name)
      throw wrongLogin()
    }
    refuseLocalLogin(this.#deps.settings.localLogin, user)
    const proof = await this.#proveSecondFactor(user, { ...login, source })
    const session = await this.#open(user, proof, { kind: 'Password', client: userAgent, address: source })
    this.#deps.attempts.succeeded(source, name)
    return session
  }

  async #open(user: UserRow, proof: Proof | undefined, origin: SessionOrigin) {
    return this.#deps.database.transaction(async (tx) => {
      // the first use of a factor changes the user
      if (proof) await this.#deps.database.lock(tx, userLock(user.uuid))
      // the password may have changed during the check, or the user was deleted
      const current = await lockUser(tx, this.#deps.database.engine, user.uuid)
      if (current?.passwordHash !== user.passwordHash) throw wrongLogin()
      if (proof && !(await proof.use(tx))) throw wrongSecondFactor()
      return this.create(tx, user, origin)
    })
  }

  /** Undefined for a user who needs none. */
  async #proveSecondFactor(
    user: UserRow,
    { secondFactor, structure, address, source }: Pick<Login, 'secondFactor' | 'structure' | 'address' | 'source'>,
  ): Promise<Proof | undefined> {
    const { signIn: factors } = this.#deps.secondFactors
    if (!factors.isRequiredOf(user)) return undefined
    if (secondFactor === undefined) throw await factors.challenge(user, address(), structure)
    const proof = await factors.prove(user, secondFactor, { address: address(), source })
    if (proof === undefined) throw wrongSecondFactor()
    return proof
  }

  /** The only place that creates a session, for a user that `lockUser` has locked. The only answer with the session id. */
  async create(tx: Tx, user: NewSessionUser, { kind, client, address, maxMs }: SessionOrigin) {
    const { accountUuid, uuid: userUuid, name: actorName, role } = user
    // has the form of a uuid for clients, but every bit is random: it is a credential
    const uuid = randomBytes(16).toString('hex')
    const now = this.#deps.clock.now()
    const times = { createDate: now, expiredDate: now + sessionIdleMs }
    const limitDate = maxMs === undefined ? null : now + maxMs
    const origin = { kind, client, address, limitDate }
    const row = { hash: sha256(uuid), accountUuid, userUuid, ...origin, lastUseDate: now, ...times }
    await this.#store.insert(tx, row)
    const credentialUuid = sessionUuid(row.hash)
    identifyCaller({ actorKind: 'Session', accountUuid, userUuid, actorName, role, credentialUuid })
    await this.#publish(tx, row, { before: null, after: { ...row } })
    await this.#endBeyondLimit(tx, userUuid)
    return { uuid, accountUuid, userUuid, ...times }
  }

  async #endBeyondLimit(tx: Tx, userUuid: string): Promise<void> {
    if ((await this.#store.listLongestUnused(tx, userUuid, maxPerUser)).length === 0) return
    // the least recently used one can be selected only after the uses are written
    await this.#extendUsed(tx)
    for (const { hash } of await this.#store.listLongestUnused(tx, userUuid, maxPerUser)) await this.#end(tx, hash)
  }

  async logOut(uuid: string): Promise<void> {
    const hash = sha256(uuid)
    await this.#deps.database.transaction(async (tx) => {
      const userUuid = await this.#store.findUserOf(tx, hash)
      if (userUuid === undefined) return
      const user = await this.#accounts.findUser(tx, userUuid)
      if (user !== undefined) {
        const { accountUuid, name: actorName, role } = user
        const credentialUuid = sessionUuid(hash)
        identifyCaller({ actorKind: 'Session', accountUuid, userUuid, actorName, role, credentialUuid })
      }
      await this.#deps.database.lock(tx, userLock(userUuid))
      await this.#end(tx, hash)
    })
  }

  /** Without a call of its user: an identity provider has ended it. */
  async endByHash(tx: Tx, hash: string): Promise<void> {
    const userUuid = await this.#store.findUserOf(tx, hash)
    if (userUuid === undefined) return
    await this.#deps.database.lock(tx, userLock(userUuid))
    await this.#end(tx, hash)
  }

  async #end(tx: Tx, hash: string): Promise<void> {
    const row = await this.#store.delete(tx, hash)
    if (row !== undefined) await this.#publishEnd(tx, row)
  }

  async endAllOf(tx: Tx, userUuid: string, except: Credential): Promise<number> {
    const kept = except.kind === 'session' ? except.hash : ''
    const ended = await this.#store.deleteAllOf(tx, userUuid, kept)
    for (const row of ended) await this.#publishEnd(tx, row)
    return ended.length
  }

  /** By the uuid of its record. */
  async endByUuid(tx: Tx, caller: Caller, uuid: string): Promise<void> {
    const row = await this.#store.findByUuid(tx, uuid)
    if (row === undefined) throw unknownSession()
    await this.#lockUserOf(tx, caller, row.userUuid)
    await this.#end(tx, row.hash)
  }

  async endAll(tx: Tx, caller: Caller, userUuid: string, { keepCurrent = false }): Promise<number> {
    await this.#lockUserOf(tx, caller, userUuid)
    return this.endAllOf(tx, userUuid, keepCurrent ? caller.credential : { kind: 'none' })
  }

  async #lockUserOf(tx: Tx, caller: Caller, userUuid: string): Promise<void> {
    if (caller.role !== 'admin' && caller.userUuid !== userUuid)
      throw new ApiError('ID.1002', 'only an admin may end the sessions of another user')
    const user = await this.#accounts.findUser(tx, userUuid)
    if (user === undefined) throw notFound('user', userUuid)
    if (caller.userUuid !== userUuid) refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    // a session has the role of its user, and an access key may have a lower one
    if (hasMoreRights(user.role, caller.role))
      throw new ApiError(
        'ID.1002',
        `a caller with the role ${caller.role} may not end sessions with the role ${user.role}; use a session or another key`,
      )
    await this.#deps.database.lock(tx, userLock(userUuid))
  }

  async #publishEnd(tx: Tx, row: SessionRow): Promise<void> {
    await this.#publish(tx, row, { before: { ...row }, after: null })
    // nodes have sessions in memory by their hash, which no client may see
    await this.#deps.events.record(tx, {
      type: 'Deleted',
      resourceType: 'Session',
      uuid: row.hash,
      audience: internalAudience,
      isRoutine: true,
    })
  }

  /** The event and its audit entry have the same identifier as the calls of the session. */
  #publish(tx: Tx, { hash, userUuid }: SessionRow, images: Images): Promise<void> {
    const type = images.before === null ? 'Created' : 'Deleted'
    const uuid = sessionUuid(hash)
    return this.#deps.events.record(tx, { type, resourceType: 'Session', uuid, audience: userUuid, ...images })
  }

  async isValid(uuid: string): Promise<boolean> {
    return (await this.#deps.credentials.session(sha256(uuid))) !== undefined
  }

  /** Uses are kept in memory and written periodically; a crash shortens a session by one period at most. */
  async writeUses(): Promise<void> {
    const upTo = this.#deps.clock.now()
    if (this.#used().length > 0) await this.#deps.database.transaction((tx) => this.#extendUsed(tx))
    this.#writtenUpTo = upTo
  }

  #used() {
    return [...this.#deps.credentials.cachedSessions()].filter(
      ([, { lastUseDate }]) => lastUseDate >= this.#writtenUpTo,
    )
  }

  async #extendUsed(tx: Tx): Promise<void> {
    for (const [hash, { lastUseDate, expiredDate }] of this.#used())
      await this.#store.extend(tx, hash, lastUseDate, expiredDate)
  }

  async removeOld(): Promise<void> {
    await this.writeUses()
    const now = this.#deps.clock.now()
    await deleteInBatches(this.#deps.database, async (tx, limit) => {
      const count = await this.#store.deleteExpired(tx, now, limit)
      this.#deps.events.collectRemoval(tx, 'Session', count)
      return count
    })
  }
}
