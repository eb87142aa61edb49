import type { Database } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { asSystem } from '../../../audit/audit-source.ts'
import type { SessionService } from '../sessions/service.ts'
import { matchingRule, userNameOf } from './claim-rules.ts'
import { readClaims } from './claims.ts'
import type { OidcLimits } from './limits.ts'
import type { ProviderClients } from './provider-clients.ts'
import { oauthErrorOf, reasonFrom } from './provider-failure.ts'
import type { OidcProvider } from './provider-file.ts'
import { refreshTokenContext } from './sign-ins.ts'
import { type OidcSessionRow, OidcStore } from './store.ts'
import type { OidcUsers } from './users.ts'

/** Requests to providers; the others follow. */
const maxAtOnce = 20

interface RefreshDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly sealing: Sealing
  readonly sessions: SessionService
  readonly users: OidcUsers
  readonly clients: ProviderClients
  readonly limits: OidcLimits
}

/**
 * Evaluates the rules again for sessions with a refresh token. A provider that is unavailable is tried again later, and the session
 * continues up to its own limit; a provider that refuses the token ends it.
 */
export class OidcRefreshes {
  readonly #deps: RefreshDeps
  readonly #store: OidcStore
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(deps: RefreshDeps) {
    this.#deps = deps
    this.#store = new OidcStore(deps.database)
  }

  start(): void {
    if (this.#deps.clients.providers.length === 0) return
    const schedule = (): void => {
      this.#timer = setTimeout(() => {
        this.#running = this.refreshDue().catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, 'sessions of identity providers could not be refreshed'),
        )
        void this.#running.then(() => this.#timer && schedule())
      }, this.#deps.limits.checkMs)
    }
    schedule()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isStopped = true
    await this.#running
  }

  async refreshDue(): Promise<void> {
    let due: readonly OidcSessionRow[]
    do {
      due = await this.#store.listDue(this.#deps.clock.now(), maxAtOnce)
      await Promise.all(due.map((row) => asSystem('RefreshOidcSession', () => this.#refresh(row))))
    } while (due.length === maxAtOnce && !this.#isStopped)
  }

  /** The date is moved before the request, so that one node at a time refreshes a session. */
  async #refresh(row: OidcSessionRow): Promise<void> {
    const { clients, clock, database, limits } = this.#deps
    const until = clock.now() + limits.leaseMs
    if (!(await database.transaction((tx) => this.#store.claimRefresh(tx, row, until)))) return
    const provider = clients.find(row.provider)
    if (provider === undefined) return this.#end(row, 'its identity provider is not in WHARF_OIDC_FILE')
    try {
      await this.#apply(provider, row)
    } catch (error) {
      if (oauthErrorOf(error) === 'invalid_grant')
        return this.#end(row, `the provider refused it: ${reasonFrom(error)}`)
      await this.#retryLater(provider, row, error)
    }
  }

  async #apply(provider: OidcProvider, row: OidcSessionRow): Promise<void> {
    const { clients, clock, database, limits, sealing, users } = this.#deps
    const { sessionHash, issuer, subject, sealedRefreshToken } = row
    if (sealedRefreshToken === null) return
    const client = await clients.client(provider)
    const { refreshTokenGrant } = await import('openid-client')
    const token = sealing.open(sealedRefreshToken, refreshTokenContext(sessionHash))
    const tokens = await refreshTokenGrant(client.configuration, token)
    const refreshed = {
      // a provider that rotates its tokens refuses the former one from now on
      sealedRefreshToken: sealing.seal(tokens.refresh_token ?? token, refreshTokenContext(sessionHash)),
      nextRefreshDate: clock.now() + limits.refreshMs,
      failedRefreshes: 0,
    }
    await database.transaction((tx) => this.#store.updateSession(tx, sessionHash, refreshed))
    const answered = tokens.claims()
    if (answered !== undefined && (answered.iss !== issuer || answered.sub !== subject))
      return this.#end(row, 'the provider answered for another user')
    const claims = await readClaims(client, tokens, subject)
    if (claims === undefined) return
    const rule = matchingRule(provider.rules, claims)
    await database.transaction(async (tx) => {
      const identity = { issuer, subject, name: userNameOf(claims, subject) }
      if (rule === undefined) await users.deny(tx, identity)
      // a user who was deleted meanwhile has no session
      else if (await users.exists(tx, identity)) await users.admit(tx, identity, rule, provider)
    })
  }

  async #end({ sessionHash }: OidcSessionRow, reason: string): Promise<void> {
    const { database, log, sessions } = this.#deps
    await database.transaction((tx) => sessions.endByHash(tx, sessionHash))
    log.info({ reason }, 'a session of an identity provider was ended')
  }

  async #retryLater({ id, issuer }: OidcProvider, row: OidcSessionRow, error: unknown): Promise<void> {
    const { clock, database, limits, log } = this.#deps
    const failedRefreshes = row.failedRefreshes + 1
    const waitMs = Math.min(limits.refreshMs, limits.retryMs * 2 ** Math.min(row.failedRefreshes, 20))
    const change = { failedRefreshes, nextRefreshDate: clock.now() + waitMs }
    await database.transaction((tx) => this.#store.updateSession(tx, row.sessionHash, change))
    const reason = error instanceof ApiError ? error.message : reasonFrom(error)
    log.warn({ provider: id, issuer, failedRefreshes, reason }, 'a session could not be refreshed; it is tried again')
  }
}
