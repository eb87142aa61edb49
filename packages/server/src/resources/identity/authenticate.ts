import { hash } from 'node:crypto'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Caller } from '../../calls/caller.ts'
import { Attempts, attemptName, sourceNetwork } from './attempts.ts'
import type { Credentials, KnownKey, KnownSession } from './credentials.ts'
import { parseHttpDate, unknownZoneOf } from './http-date.ts'
import { type Authorization, parseAuthorization, signatureMatches } from './signature.ts'
import { SigningKey } from './signing-key.ts'

const maxSkewMs = 15 * 60_000

/** A session lasts this long after its last use … */
export const sessionIdleMs = 2 * 3_600_000
/** … and no longer than this in all. */
const sessionMaxMs = 24 * 3_600_000

export interface Presented {
  authorization: string | undefined
  date: string | undefined
  method: string
  /** From `/v1`, unchanged, without the query. */
  path: string
  source: string
}

interface AuthenticateDeps {
  credentials: Credentials
  attempts: Attempts
  clock: Clock
  authSchemes: readonly string[]
  /** The only meaning of CST; without it every meaning counts. */
  dateCst?: string | undefined
}

type ShownKey = Pick<Extract<Authorization, { kind: 'key' }>, 'id' | 'signature'>

const noSuchKey = new SigningKey('no such key')

/** One text for every failure of a key, so that it does not reveal the reason. */
const keyRefused = 'wrong accessKey signature, or access key id unknown or disabled'

const sessionRefused = 'the session is unknown or has ended; sign in again'

/** For a credential that was valid when the call started. */
export const revoked = ({ credential }: Caller): ApiError =>
  credential.kind === 'key' ? new ApiError('ID.1000', keyRefused) : new ApiError('ID.1001', sessionRefused)

/** Not counted as a failed attempt: a wrong time zone is no guess at a key. */
function refuseUnknownZone(date: string): void {
  const zone = unknownZoneOf(date)
  if (zone === undefined) return
  const named = zone === '' ? 'names no time zone' : `has an unknown time zone ${JSON.stringify(zone.slice(0, 64))}`
  throw new ApiError('ID.1000', `the Date header ${named}; write the time in GMT, or with an offset such as +0800`)
}

export type Authenticate = (presented: Presented, extendsSession: boolean) => Caller | Promise<Caller>

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
      known.expiredDate = Math.min(now + sessionIdleMs, known.createDate + sessionMaxMs)
    }
    return known.caller
  }

  const isSignedBy = (key: SigningKey, signature: string, { method, path, date = '' }: Presented): boolean =>
    signatureMatches(key, signature, method, date, path)

  const isTimely = ({ date = '' }: Presented): boolean => {
    const now = clock.now()
    const at = parseHttpDate(date, { cst: dateCst, near: now })
    return at !== undefined && Math.abs(now - at) <= maxSkewMs
  }

  const refuseKey = (source: string, id: string, more = ''): never => {
    attempts.failed(source, attemptName.key(id))
    throw new ApiError('ID.1000', keyRefused + more)
  }

  /** Guesses at existing keys from blocked addresses. The response is 429 either way, so this count does not reveal which keys exist. */
  const hiddenAttempts = new Attempts(clock)

  /** Another client behind the same proxy may have blocked the address; a key without failed attempts still works. */
  const byKeyWhileBlocked = (
    known: KnownKey | undefined,
    { id, signature }: ShownKey,
    presented: Presented,
  ): Caller | undefined => {
    const { source } = presented
    if (attempts.isNameBlocked(source, attemptName.key(id)) || !isTimely(presented)) return undefined
    const guessed = `${sourceNetwork(source)} ${id}`
    const mayTry = hiddenAttempts.blockedForSeconds(guessed, id) === 0
    const matches = isSignedBy(known?.signingKey ?? noSuchKey, signature, presented)
    if (known === undefined || !mayTry) return undefined
    if (matches) return known.caller
    hiddenAttempts.failed(guessed, id)
    return undefined
  }

  const byKey = (known: KnownKey | undefined, shown: ShownKey, presented: Presented): Caller => {
    const { source, date = '' } = presented
    const { id, signature } = shown
    const blocked = attempts.blockedError(source, attemptName.key(id))
    if (blocked) {
      const caller = byKeyWhileBlocked(known, shown, presented)
      if (caller === undefined) throw blocked
      return caller
    }
    if (!isTimely(presented)) {
      refuseUnknownZone(date)
      return refuseKey(
        source,
        id,
        `; the Date header must be within 15 minutes of ${new Date(clock.now()).toUTCString()}`,
      )
    }
    // an unknown id costs the same work as a wrong signature
    const matches = isSignedBy(known?.signingKey ?? noSuchKey, signature, presented)
    return matches && known !== undefined ? known.caller : refuseKey(source, id)
  }

  const byCachedKey = (
    known: KnownKey | undefined,
    shown: ShownKey,
    presented: Presented,
  ): Caller | Promise<Caller> => {
    try {
      return byKey(known, shown, presented)
    } catch (error) {
      return credentials.waitAsForUnknownKey().then(() => Promise.reject(error as Error))
    }
  }

  return (presented, extendsSession) => {
    const shown = parseAuthorization(presented.authorization, schemes)
    if (shown.kind === 'session') {
      const known = credentials.session(hash('sha256', shown.uuid))
      return known instanceof Promise
        ? known.then((session) => bySession(session, extendsSession))
        : bySession(known, extendsSession)
    }
    if (shown.kind === 'key') {
      const known = credentials.key(shown.id)
      return known instanceof Promise
        ? known.then((key) => byKey(key, shown, presented))
        : byCachedKey(known, shown, presented)
    }
    if (shown.kind === 'none') throw new ApiError('ID.1001', 'the Authorization header is missing')
    throw new ApiError(
      'ID.1000',
      `the Authorization header must read OAuth <session> or ${authSchemes[0]} <id>:<signature>`,
    )
  }
}
