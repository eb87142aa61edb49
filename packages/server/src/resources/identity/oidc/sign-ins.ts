import { randomBytes } from 'node:crypto'
import { oidcCallbackPath } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { sha256 } from '@wharf/platform/constant-time.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { anonymousActor, identifyCaller } from '../../../audit/audit-source.ts'
import { sourceNetwork } from '../login-throttle.ts'
import type { SessionService } from '../sessions/service.ts'
import { matchingRule, userNameOf } from './claim-rules.ts'
import { readClaims } from './claims.ts'
import { type OidcLimits, oidcSessionMaxMs } from './limits.ts'
import type { ProviderClients } from './provider-clients.ts'
import { signInFailure } from './provider-failure.ts'
import type { OidcProvider } from './provider-file.ts'
import { type OidcSignInRow, OidcStore } from './store.ts'
import type { OidcUsers } from './users.ts'

/** How long the user may take at the provider. */
export const signInValidSeconds = 600
/** Of one network; the oldest beyond them are removed. */
const maxPerNetwork = 100

/** Compared with the response of the provider. */
interface Checks {
  readonly nonce: string
  readonly codeVerifier: string
}

/** A cookie that only the browser that started a sign-in has. */
export interface BrowserCookie {
  readonly name: string
  readonly value: string
}

interface SignInDeps {
  readonly database: Database
  readonly clock: Clock
  readonly sealing: Sealing
  readonly sessions: SessionService
  readonly users: OidcUsers
  readonly clients: ProviderClients
  readonly limits: OidcLimits
}

const unknownSignIn = (): ApiError =>
  new ApiError(
    'ID.1000',
    'this sign-in was not started in this browser, is older than ten minutes, or has ended; start again on the sign-in page',
  )

const checksContext = (stateHash: string): string => `oidcSignIns.checks.${stateHash}`
export const refreshTokenContext = (sessionHash: string): string => `oidcSessions.refreshToken.${sessionHash}`

/** Sign-ins by the authorization code flow with PKCE, state and nonce. */
export class OidcSignIns {
  readonly #deps: SignInDeps
  readonly #store: OidcStore

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#store = new OidcStore(deps.database)
  }

  providers(): { id: string; label: string }[] {
    return this.#deps.clients.providers.map(({ id, label }) => ({ id, label }))
  }

  /** Returns the address of the provider, and the cookie to set. `address` is this API as the browser reaches it. */
  async start(id: string, address: string, source: string): Promise<{ url: string; cookie: BrowserCookie }> {
    const { clients, clock, database, sealing } = this.#deps
    const provider = clients.find(id)
    if (provider === undefined)
      throw new ApiError('SYS.1003', `there is no identity provider "${id}"; reload the sign-in page`)
    const { configuration } = await clients.client(provider)
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier } = await import(
      'openid-client'
    )
    const [state, browser] = [randomWord(), randomWord()]
    const checks: Checks = { nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
    const stateHash = sha256(state)
    const redirectUri = `${address}${oidcCallbackPath.replace('{provider}', id)}`
    const network = sourceNetwork(source)
    const row: OidcSignInRow = {
      stateHash,
      browserHash: sha256(browser),
      provider: id,
      redirectUri,
      sealedChecks: sealing.seal(JSON.stringify(checks), checksContext(stateHash)),
      network,
      expiredDate: clock.now() + signInValidSeconds * 1000,
    }
    await database.transaction(async (tx) => {
      await this.#store.insertSignIn(tx, row)
      await this.#store.dropOldSignIns(tx, network, maxPerNetwork)
    })
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, cookie: { name: cookieName(state), value: browser } }
  }

  /** `response` is the query with which the provider sent the browser back, and `browser` the value of its cookie. */
  async finish(
    id: string,
    response: string,
    browser: string,
    origin: { readonly source: string; readonly userAgent: string | null },
  ) {
    const parameters = new URLSearchParams(response)
    const state = parameters.get('state') ?? ''
    const row = await this.#take(state, browser)
    // a response that arrives at the address of another provider is not for this sign-in
    const provider = row.provider === id ? this.#deps.clients.find(id) : undefined
    if (provider === undefined) throw unknownSignIn()
    try {
      return await this.#admit(provider, row, parameters, state, origin)
    } catch (error) {
      throw signInFailure(provider, error)
    }
  }

  async #take(state: string, browser: string): Promise<OidcSignInRow> {
    const { database, clock } = this.#deps
    const row = await database.transaction((tx) => this.#store.takeSignIn(tx, sha256(state), sha256(browser)))
    if (row === undefined || row.expiredDate <= clock.now()) throw unknownSignIn()
    return row
  }

  async #admit(
    provider: OidcProvider,
    { stateHash, sealedChecks, redirectUri }: OidcSignInRow,
    parameters: URLSearchParams,
    expectedState: string,
    { source, userAgent }: { readonly source: string; readonly userAgent: string | null },
  ) {
    const { clients, clock, database, limits, sealing, sessions, users } = this.#deps
    const client = await clients.client(provider)
    const { nonce, codeVerifier } = JSON.parse(sealing.open(sealedChecks, checksContext(stateHash))) as Checks
    const { authorizationCodeGrant } = await import('openid-client')
    const tokens = await authorizationCodeGrant(client.configuration, new URL(`${redirectUri}?${parameters}`), {
      pkceCodeVerifier: codeVerifier,
      expectedNonce: nonce,
      expectedState,
      idTokenExpected: true,
    })
    const idToken = tokens.claims()
    if (idToken === undefined) throw new Error('it has no ID token')
    const { iss: issuer, sub: subject, sid } = idToken
    const claims = (await readClaims(client, tokens, subject)) ?? idToken
    const identity = { issuer, subject, name: userNameOf(claims, subject) }
    identifyCaller({ ...anonymousActor, actorName: identity.name })
    const rule = matchingRule(provider.rules, claims)
    if (rule === undefined) {
      await database.transaction((tx) => users.deny(tx, identity))
      throw noRule(provider, identity.name)
    }
    return database.transaction(async (tx) => {
      const user = await users.admit(tx, identity, rule, provider)
      const session = await sessions.create(tx, user, {
        kind: 'OIDC',
        client: userAgent,
        address: source,
        maxMs: oidcSessionMaxMs,
      })
      const sessionHash = sha256(session.uuid)
      const token = tokens.refresh_token
      await this.#store.insertSession(tx, {
        sessionHash,
        provider: provider.id,
        issuer,
        subject,
        sid: typeof sid === 'string' ? sid : null,
        sealedRefreshToken: token === undefined ? null : sealing.seal(token, refreshTokenContext(sessionHash)),
        nextRefreshDate: token === undefined ? null : clock.now() + limits.refreshMs,
        failedRefreshes: 0,
      })
      return session
    })
  }

  async removeOld(): Promise<void> {
    const { database, clock } = this.#deps
    const now = clock.now()
    await deleteInBatches(database, (tx, limit) => this.#store.deleteExpiredSignIns(tx, now, limit))
    await deleteInBatches(database, (tx, limit) => this.#store.deleteExpiredLogoutTokens(tx, now, limit))
  }
}

const randomWord = (): string => randomBytes(32).toString('base64url')

/** Each sign-in has its own, so that two tabs do not disturb each other. */
const cookieName = (state: string): string => `wharf-sign-in-${sha256(state).slice(0, 16)}`

/** The name of the cookie that the response of a provider requires. */
export const cookieNameOf = (response: string): string => cookieName(new URLSearchParams(response).get('state') ?? '')

function noRule({ label, rules }: OidcProvider, name: string): ApiError {
  const claims = [...new Set(rules.map(({ claim }) => claim))].join(', ')
  return new ApiError(
    'ID.1002',
    `no rule grants ${name} access: the claims of identity provider "${label}" (${claims}) have none of the values in WHARF_OIDC_FILE; ask an admin to add you to a group`,
  )
}
