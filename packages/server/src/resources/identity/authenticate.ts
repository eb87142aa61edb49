import { hash } from 'node:crypto'
import { wrongCredential } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { anonymousCaller, type Caller } from '../../calls/caller.ts'
import { parseAuthorization } from './authorization-header.ts'
import type { Credentials, KnownKey, KnownSession } from './credentials.ts'
import { attemptName, LoginThrottle, sourceNetwork } from './login-throttle.ts'
import { hmacSha1Claim, type KeyClaim, rfc9421Claim } from './request-signatures/key-claim.ts'
import { type KeySecret, unusableHmacKey, unusableVerificationKeys } from './request-signatures/key-secret.ts'
import type { SignedMessage } from './request-signatures/rfc9421.ts'

/** A session lasts this long after its last use. */
export const sessionIdleMs = 2 * 3_600_000

export interface PresentedCredential {
  authorization: string | undefined
  date: string | undefined
  method: string
  /** From `/v1`, unchanged, without the query. */
  path: string
  /** The call, if it is signed by RFC 9421 instead of having an Authorization header. */
  message: SignedMessage | undefined
  source: string
}

interface AuthenticateDeps {
  credentials: Credentials
  attempts: LoginThrottle
  clock: Clock
  authSchemes: readonly string[]
  /** The only meaning of CST; without it every meaning counts. */
  dateCst?: string | undefined
}

/** An unknown id costs the same work as a wrong signature. */
const noSecret: KeySecret = {
  validUntil: Number.POSITIVE_INFINITY,
  hmacKey: unusableHmacKey,
  verificationKey: unusableVerificationKeys['hmac-sha256'],
  caller: anonymousCaller,
}

const sessionRefused = 'the session is unknown or has ended; sign in again'

/** For a credential that was valid when the call started. */
export const revoked = ({ credential }: Caller): ApiError =>
  credential.kind === 'key'
    ? new ApiError('ID.1000', wrongCredential.accessKey)
    : new ApiError('ID.1001', sessionRefused)

export type Authenticate = (credential: PresentedCredential, extendsSession: boolean) => Caller | Promise<Caller>

/** Identifies the caller. Returns synchronously when the credential is cached, which is the usual case. */
export function makeAuthenticate({
  credentials,
  attempts,
  clock,
  authSchemes,
  dateCst,
}: AuthenticateDeps): Authenticate {
  const schemes = authSchemes.map((scheme) => scheme.toLowerCase())
  const bySession = (known: KnownSession | undefined, extendsSession: boolean): Caller => {
    const now = clock.now()
    if (known === undefined || known.expiredDate <= now) throw new ApiError('ID.1001', sessionRefused)
    if (extendsSession) {
      known.lastUseDate = now
      known.expiredDate = Math.min(now + sessionIdleMs, known.limitDate)
    }
    return known.caller
  }

  const refuseKey = (source: string, { id, hint }: KeyClaim, more = hint): never => {
    attempts.failed(source, attemptName.key(id))
    throw new ApiError('ID.1000', wrongCredential.accessKey + more)
  }

  /** The secret of a known key that the call is signed with. */
  const secretOf = (known: KnownKey | undefined, claim: KeyClaim): KeySecret | undefined => {
    if (known === undefined) {
      claim.isSignedWith(noSecret)
      return undefined
    }
    const now = clock.now()
    return known.secrets.find((secret) => secret.validUntil > now && claim.isSignedWith(secret))
  }

  /** For a call that has proved its key. */
  const admit = (known: KnownKey, { caller }: KeySecret, { id, scheme }: KeyClaim): Caller => {
    const now = clock.now()
    if (known.expiresDate <= now) {
      const expired = `access key ${id} expired on ${new Date(known.expiresDate).toUTCString()}`
      throw new ApiError('ID.1000', `${expired}; create another one`)
    }
    if (!known.schemes.includes(scheme))
      throw new ApiError('ID.1000', `access key ${id} requires signatures by RFC 9421, which cover the whole call`)
    credentials.recordUse(known.uuid, now)
    return caller
  }

  /** Guesses at existing keys from blocked addresses. The response is 429 either way, so this count does not reveal which keys exist. */
  const hiddenAttempts = new LoginThrottle(clock)

  /** Another client behind the same proxy may have blocked the address; a key without failed attempts still works. */
  const byKeyWhileBlocked = (known: KnownKey | undefined, claim: KeyClaim, source: string): Caller | undefined => {
    const { id } = claim
    if (attempts.isNameBlocked(source, attemptName.key(id)) || !claim.isTimely(clock.now())) return undefined
    const guessed = `${sourceNetwork(source)} ${id}`
    const mayTry = hiddenAttempts.blockedForSeconds(guessed, id) === 0
    const secret = secretOf(known, claim)
    if (known === undefined || !mayTry) return undefined
    if (secret !== undefined) return admit(known, secret, claim)
    hiddenAttempts.failed(guessed, id)
    return undefined
  }

  const byKey = (known: KnownKey | undefined, claim: KeyClaim, source: string): Caller => {
    const blocked = attempts.blockedError(source, attemptName.key(claim.id))
    if (blocked) {
      const caller = byKeyWhileBlocked(known, claim, source)
      if (caller === undefined) throw blocked
      return caller
    }
    const now = clock.now()
    if (!claim.isTimely(now)) return refuseKey(source, claim, claim.dateHint(now))
    const secret = secretOf(known, claim)
    return known === undefined || secret === undefined ? refuseKey(source, claim) : admit(known, secret, claim)
  }

  const byCachedKey = (known: KnownKey | undefined, claim: KeyClaim, source: string): Caller | Promise<Caller> => {
    try {
      return byKey(known, claim, source)
    } catch (error) {
      return credentials.waitAsForUnknownKey().then(() => Promise.reject(error as Error))
    }
  }

  const byClaim = (claim: KeyClaim, source: string): Caller | Promise<Caller> => {
    const known = credentials.key(claim.id)
    return known instanceof Promise ? known.then((key) => byKey(key, claim, source)) : byCachedKey(known, claim, source)
  }

  return (credential, extendsSession) => {
    const { message, method, path, date = '', source } = credential
    if (message !== undefined) return byClaim(rfc9421Claim(message), source)
    const shown = parseAuthorization(credential.authorization, schemes)
    if (shown.kind === 'session') {
      const known = credentials.session(hash('sha256', shown.uuid))
      return known instanceof Promise
        ? known.then((session) => bySession(session, extendsSession))
        : bySession(known, extendsSession)
    }
    if (shown.kind === 'key') return byClaim(hmacSha1Claim({ ...shown, method, path, date, dateCst }), source)
    if (shown.kind === 'none') throw new ApiError('ID.1001', 'the Authorization header is missing')
    throw new ApiError(
      'ID.1000',
      `the Authorization header must read OAuth <session> or ${authSchemes[0]} <id>:<signature>`,
    )
  }
}
