import { type KeyScheme, lowerRole } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { isSameScope, readScope, scopeOf } from '@wharf/database/scope-conditions.ts'
import { withDeadline } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { sql } from 'kysely'
import type { Caller, KeyLimits } from '../../calls/caller.ts'
import type { Change, Outbox } from '../../events/outbox.ts'
import { limitsOf } from './access-keys/limits.ts'
import { type LockedCredential, lockCredential } from './credential-lock.ts'
import { HmacKey } from './request-signatures/hmac-key.ts'
import { type KeySecret, unusableHmacKey } from './request-signatures/key-secret.ts'
import { ed25519VerificationKey, hmacVerificationKey } from './request-signatures/verification-key.ts'
import { openSecrets } from './stored-secrets.ts'

interface Cached<T> {
  readonly value: T
  readonly loadedAt: number
  /** It may have changed: it is read again before it is used. */
  isStale?: true
}

export interface KnownKey {
  readonly uuid: string
  readonly schemes: readonly KeyScheme[]
  /** Infinite for one that does not expire. */
  readonly expiresDate: number
  /** The current one first. */
  readonly secrets: readonly KeySecret[]
}

export interface KnownSession {
  readonly caller: Caller
  /** Uses extend it up to then. */
  readonly limitDate: number
  lastUseDate: number
  expiredDate: number
}

/** The longest that a session lasts, unless it has a limit of its own. */
const sessionMaxMs = 24 * 3_600_000
/** A cached credential is valid this long after the last event from other nodes: a revocation takes effect within a second. */
const trustMs = 900
const maxCached = 10_000
/** A database that neither responds nor fails must not block every call. */
const maxReadMs = 5000

interface CredentialDeps {
  readonly database: Database
  readonly events: Outbox
  readonly sealing: Sealing
  readonly clock: Clock
}

/** Sessions and access keys in memory, so that a call costs no database read. */
export class Credentials {
  readonly #deps: CredentialDeps
  readonly #sessions = new Map<string, Cached<KnownSession>>()
  readonly #keys = new Map<string, Cached<KnownKey>>()
  readonly #watchers = new Set<() => void>()
  /** The last use of each key since they were written. */
  #keyUses = new Map<string, number>()
  /** Counts changes; a read that started before a change is not cached after it. */
  #generation = 0

  constructor(deps: CredentialDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#deps.events.subscribe((change) => this.#invalidate(change))
    this.#deps.events.subscribeToThisNode((change) => this.#invalidate(change))
  }

  key(id: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    return this.#fromCache(this.#keys, id) ?? this.#load(this.#keys, id, () => this.#readKey(id))
  }

  /** Takes as long as the lookup of a key that is not cached, since an unknown key never is: timing reveals nothing. */
  async waitAsForUnknownKey(): Promise<void> {
    await inTime(sql`select 1`.execute(this.#deps.database.read))
  }

  session(hash: string): KnownSession | undefined | Promise<KnownSession | undefined> {
    const known = this.#fromCache(this.#sessions, hash)
    // another node may have extended it since
    if (known !== undefined && known.expiredDate > this.#deps.clock.now()) return known
    return this.#load(this.#sessions, hash, () => this.#readSession(hash))
  }

  /** The same caller with its current role, from memory where possible; undefined when the credential is revoked. */
  current(caller: Caller): Caller | undefined | Promise<Caller | undefined> {
    const { credential } = caller
    if (credential.kind === 'none') return caller
    if (credential.kind === 'session') {
      const found = this.session(credential.hash)
      return found instanceof Promise ? found.then((known) => ofUser(caller, known)) : ofUser(caller, found)
    }
    const { id, secretHash } = credential
    const secretOf = (known: KnownKey | undefined) => this.#validSecret(known, secretHash)
    const found = this.key(id)
    return found instanceof Promise
      ? found.then((known) => ofUser(caller, secretOf(known)))
      : ofUser(caller, secretOf(found))
  }

  #validSecret(known: KnownKey | undefined, secretHash: string): KeySecret | undefined {
    const now = this.#deps.clock.now()
    if (known === undefined || known.expiresDate <= now) return undefined
    return known.secrets.find(
      ({ validUntil, caller: { credential } }) =>
        validUntil > now && credential.kind === 'key' && credential.secretHash === secretHash,
    )
  }

  /** In memory: `takeKeyUses` returns what is to be written. */
  recordUse(keyUuid: string, at: number): void {
    this.#keyUses.set(keyUuid, at)
  }

  takeKeyUses(): ReadonlyMap<string, number> {
    const uses = this.#keyUses
    this.#keyUses = new Map()
    return uses
  }

  /**
   * In the transaction of a change: the role and the scope that the credential grants, locked until the commit.
   * Undefined when the credential is revoked.
   */
  async lock(tx: Tx, caller: Caller): Promise<Omit<LockedCredential, 'expiredDate'> | undefined> {
    const { credential } = caller
    const locked = await lockCredential(tx, { engine: this.#deps.database.engine, sealing: this.#deps.sealing }, caller)
    // this node writes uses later
    const here = credential.kind === 'session' ? this.#sessions.get(credential.hash)?.value.expiredDate : undefined
    return locked && Math.max(locked.expiredDate, here ?? 0) > this.#deps.clock.now() ? locked : undefined
  }

  /** Whether the credential that opened a stream would still open it, with the same role and scope. */
  async isStillValid(caller: Caller): Promise<boolean> {
    const current = await this.current(caller)
    return current?.role === caller.role && isSameScope(current.scope, caller.scope)
  }

  /** Calls back when a credential has changed; then check `isStillValid`. */
  onChange(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  *cachedSessions(): IterableIterator<[hash: string, session: KnownSession]> {
    for (const [hash, { value }] of this.#sessions) yield [hash, value]
  }

  #fromCache<T>(cache: Map<string, Cached<T>>, id: string): T | undefined {
    const cached = cache.get(id)
    if (cached === undefined || cached.isStale) return undefined
    const trustedFrom = Math.max(cached.loadedAt, this.#deps.events.currentAsOf())
    return this.#deps.clock.now() - trustedFrom <= trustMs ? cached.value : undefined
  }

  async #load<T>(
    cache: Map<string, Cached<T>>,
    id: string,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const generation = this.#generation
    const loadedAt = this.#deps.clock.now()
    const value = await inTime(read())
    if (value === undefined) cache.delete(id)
    else if (generation === this.#generation) {
      if (cache.size >= maxCached) cache.delete(cache.keys().next().value ?? '')
      cache.set(id, { value, loadedAt })
    }
    return value
  }

  async #readKey(id: string): Promise<KnownKey | undefined> {
    const row = await this.#deps.database.read
      .selectFrom('accessKeys')
      .innerJoin('users', 'users.uuid', 'accessKeys.userUuid')
      .selectAll('accessKeys')
      .select(['users.name as userName', 'users.role', 'users.scope as userScope'])
      .where('AccessKeyID', '=', id)
      .where('state', '=', 'Enabled')
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { uuid, accountUuid, userUuid, userName, maxRole } = row
    const ofKey = readScope(row.scope)
    const scope = scopeOf(userUuid, readScope(row.userScope), ofKey)
    const user = { accountUuid, userUuid, userName, role: lowerRole(row.role, maxRole), scope }
    const limits = limitsOf(row)
    const secrets = openSecrets(this.#deps.sealing, id, row).flatMap((secret, index): KeySecret[] => {
      if (secret === undefined) return []
      const { text, hash: secretHash, validUntil } = secret
      const publicKey = index === 0 ? row.publicKey : row.previousPublicKey
      const credential = {
        kind: 'key',
        id,
        uuid,
        secretHash,
        limits: endingAt(limits, validUntil),
        scope: ofKey,
      } as const
      const caller = { ...user, credential }
      return publicKey === null
        ? [{ validUntil, caller, hmacKey: new HmacKey(text, 'sha1'), verificationKey: hmacVerificationKey(text) }]
        : [{ validUntil, caller, hmacKey: unusableHmacKey, verificationKey: ed25519VerificationKey(publicKey) }]
    })
    const expiresDate = row.expiresDate ?? Number.POSITIVE_INFINITY
    return { uuid, schemes: JSON.parse(row.schemes) as KeyScheme[], expiresDate, secrets }
  }

  async #readSession(hash: string): Promise<KnownSession | undefined> {
    const row = await this.#deps.database.read
      .selectFrom('sessions')
      .innerJoin('users', 'users.uuid', 'sessions.userUuid')
      .select(['sessions.accountUuid', 'userUuid', 'users.name as userName', 'role', 'users.scope as userScope'])
      .select(['sessions.createDate', 'lastUseDate', 'expiredDate', 'limitDate'])
      .where('hash', '=', hash)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { accountUuid, userUuid, userName, role, createDate } = row
    // uses here that are not yet written count too
    const here = this.#sessions.get(hash)?.value
    const lastUseDate = Math.max(row.lastUseDate, here?.lastUseDate ?? 0)
    const expiredDate = Math.max(row.expiredDate, here?.expiredDate ?? 0)
    if (expiredDate <= this.#deps.clock.now()) return undefined
    const scope = scopeOf(userUuid, readScope(row.userScope))
    const caller: Caller = { accountUuid, userUuid, userName, role, scope, credential: { kind: 'session', hash } }
    return { caller, limitDate: row.limitDate ?? createDate + sessionMaxMs, lastUseDate, expiredDate }
  }

  #invalidate({ resourceType, uuid, type }: Omit<Change, 'audience'>): void {
    if (type === 'Created') return
    if (resourceType === 'Session') this.#sessions.delete(uuid)
    else if (resourceType === 'AccessKey') this.#keys.clear()
    else if (resourceType === 'User' || resourceType === 'Account') {
      for (const session of this.#sessions.values()) session.isStale = true
      this.#keys.clear()
    } else return
    this.#generation++
    for (const watcher of this.#watchers) watcher()
  }
}

/** A secret that a rotation has replaced could otherwise outlive its overlap, by another rotation or another key. */
const endingAt = (limits: KeyLimits, validUntil: number): KeyLimits =>
  validUntil < (limits.expiresDate ?? Number.POSITIVE_INFINITY) ? { ...limits, expiresDate: validUntil } : limits

const ofUser = ({ userUuid }: Caller, found: { readonly caller: Caller } | undefined): Caller | undefined =>
  found?.caller.userUuid === userUuid ? found.caller : undefined

const inTime = <T>(reading: Promise<T>): Promise<T> =>
  withDeadline(
    maxReadMs,
    reading,
    () => new ApiError('SYS.1010', 'the database does not answer', { retryAfterSeconds: 2 }),
  )
