import { randomBytes } from 'node:crypto'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { anonymousActor, identifyCaller, sessionUuid } from '../../../audit/audit-source.ts'
import type { Credential } from '../../../calls/caller.ts'
import { type Events, type Images, internalAudience } from '../../../events/events.ts'
import { AccountStore, type UserRow } from '../accounts/store.ts'
import { type Attempts, attemptName, sourceNetwork } from '../attempts.ts'
import { sessionIdleMs } from '../authenticate.ts'
import type { Credentials } from '../credentials.ts'
import type { Passwords } from '../passwords.ts'
import { lockUser, userLock } from '../user-lock.ts'
import { type SessionRow, SessionStore } from './store.ts'

const maxPerUser = 500

const wrongLogin = (): ApiError => new ApiError('ID.1000', 'wrong name or password')

interface Login {
  account: { name?: string; uuid?: string }
  userName?: string
  password: string
  source: string
  disconnectSignal: () => AbortSignal
}

interface SessionDeps {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly credentials: Credentials
  readonly attempts: Attempts
  readonly passwords: Passwords
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

  async logIn({ account, userName, password, source, disconnectSignal }: Login) {
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
    this.#deps.attempts.succeeded(source, name)
    return this.#open(user)
  }

  async #open({ accountUuid, uuid: userUuid, passwordHash, name, role }: UserRow) {
    // has the form of a uuid for clients, but every bit is random: it is a credential
    const uuid = randomBytes(16).toString('hex')
    const now = this.#deps.clock.now()
    const times = { createDate: now, expiredDate: now + sessionIdleMs }
    await this.#deps.database.transaction(async (tx) => {
      // the password may have changed during the check, or the user was deleted
      const user = await lockUser(tx, this.#deps.database.engine, userUuid)
      if (user?.passwordHash !== passwordHash) throw wrongLogin()
      const row = { hash: sha256(uuid), accountUuid, userUuid, lastUseDate: now, ...times }
      await this.#store.insert(tx, row)
      const credentialUuid = sessionUuid(row.hash)
      identifyCaller({ actorKind: 'Session', accountUuid, userUuid, actorName: name, role, credentialUuid })
      this.#collect(tx, row.hash, { before: null, after: { ...row } })
      if ((await this.#store.listLongestUnused(tx, userUuid, maxPerUser)).length === 0) return
      // the least recently used one can be selected only after the uses are written
      await this.#extendUsed(tx)
      for (const { hash } of await this.#store.listLongestUnused(tx, userUuid, maxPerUser)) await this.#end(tx, hash)
    })
    return { uuid, accountUuid, userUuid, ...times }
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

  async #end(tx: Tx, hash: string): Promise<void> {
    const row = await this.#store.delete(tx, hash)
    if (row !== undefined) await this.#publishEnd(tx, row)
  }

  async endAllOf(tx: Tx, userUuid: string, except: Credential): Promise<void> {
    const kept = except.kind === 'session' ? except.hash : ''
    for (const row of await this.#store.deleteAllOf(tx, userUuid, kept)) await this.#publishEnd(tx, row)
  }

  /** Only the hash is published, and only to other nodes. */
  #publishEnd(tx: Tx, row: SessionRow): Promise<void> {
    this.#collect(tx, row.hash, { before: { ...row }, after: null })
    return this.#deps.events.record(tx, {
      type: 'Deleted',
      resourceType: 'Session',
      uuid: row.hash,
      audience: internalAudience,
      isRoutine: true,
    })
  }

  /** The entry has the same identifier as the calls of the session. */
  #collect(tx: Tx, hash: string, images: Images): void {
    const type = images.before === null ? 'Created' : 'Deleted'
    this.#deps.events.collect(tx, [{ type, resourceType: 'Session', uuid: sessionUuid(hash), ...images }])
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
