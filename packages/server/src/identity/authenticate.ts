import { hash } from 'node:crypto'
import { ApiError } from '../platform/api-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Attempts } from './attempts.ts'
import type { Caller } from './caller.ts'
import type { Credentials, KnownKey, KnownSession } from './credentials.ts'
import { parseHttpDate, unknownZoneOf } from './http-date.ts'
import { parseAuthorization, signatureMatches } from './signature.ts'
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
  /** From `/v1`, as it was sent, without the query. */
  path: string
  source: string
}

interface Parts {
  credentials: Credentials
  attempts: Attempts
  clock: Clock
  authSchemes: readonly string[]
  /** The only meaning of CST; without it every meaning counts. */
  dateCst?: string | undefined
}

const noSuchKey = new SigningKey('no such key')

/** One text for every way a key can fail, so that nothing is learnt from which one it was. */
const keyRefused = 'wrong accessKey signature, or access key id unknown or disabled'

const sessionRefused = 'the session is unknown or has ended; sign in again'

/** For a credential that was good when the call began. */
export const revoked = ({ credential }: Caller): ApiError =>
  credential.kind === 'key' ? new ApiError('ID.1000', keyRefused) : new ApiError('ID.1001', sessionRefused)

/** Whoever failed too often waits, also with the right secret: from elsewhere it still works. */
export function refuseBlocked(attempts: Attempts, source: string, name: string): void {
  const retryAfterSeconds = attempts.blockedForSeconds(source, name)
  if (retryAfterSeconds > 0)
    throw new ApiError('ID.1003', 'too many failed attempts from this address; wait and try again', {
      retryAfterSeconds,
    })
}

/** Nobody guesses at a key by the name of a time zone, so this is not counted as a failed attempt. */
function refuseUnknownZone(date: string): void {
  const zone = unknownZoneOf(date)
  if (zone === undefined) return
  const named = zone === '' ? 'names no time zone' : `has an unknown time zone ${JSON.stringify(zone.slice(0, 64))}`
  throw new ApiError('ID.1000', `the Date header ${named}; write the time in GMT, or with an offset such as +0800`)
}

export type Authenticate = (presented: Presented, extendsSession: boolean) => Caller | Promise<Caller>

/** Who is calling. Answers at once when the credential is cached, which is the rule. */
export function makeAuthenticate({ credentials, attempts, clock, authSchemes, dateCst }: Parts): Authenticate {
  const bySession = (known: KnownSession | undefined, extendsSession: boolean): Caller => {
    const now = clock.now()
    if (known === undefined || known.expiredDate <= now) throw new ApiError('ID.1001', sessionRefused)
    if (extendsSession) {
      known.lastUseDate = now
      known.expiredDate = Math.min(now + sessionIdleMs, known.createDate + sessionMaxMs)
    }
    return known.caller
  }

  const refuseKey = (source: string, id: string, more = ''): never => {
    attempts.failed(source, id)
    throw new ApiError('ID.1000', keyRefused + more)
  }

  const byKey = (known: KnownKey | undefined, id: string, signature: string, presented: Presented): Caller => {
    const { method, path, source, date = '' } = presented
    const now = clock.now()
    const at = parseHttpDate(date, { cst: dateCst, near: now })
    if (at === undefined) refuseUnknownZone(date)
    if (at === undefined || Math.abs(now - at) > maxSkewMs)
      return refuseKey(source, id, `; the Date header must be within 15 minutes of ${new Date(now).toUTCString()}`)
    // an unknown id costs the same work as a wrong signature
    const matches = signatureMatches(known?.signingKey ?? noSuchKey, signature, method, date, path)
    return matches && known !== undefined ? known.caller : refuseKey(source, id)
  }

  return (presented, extendsSession) => {
    const shown = parseAuthorization(presented.authorization, authSchemes)
    if (shown.kind === 'session') {
      const known = credentials.session(hash('sha256', shown.uuid))
      return known instanceof Promise
        ? known.then((session) => bySession(session, extendsSession))
        : bySession(known, extendsSession)
    }
    if (shown.kind === 'key') {
      const { id, signature } = shown
      refuseBlocked(attempts, presented.source, id)
      const known = credentials.key(id)
      return known instanceof Promise
        ? known.then((key) => byKey(key, id, signature, presented))
        : byKey(known, id, signature, presented)
    }
    if (shown.kind === 'none') throw new ApiError('ID.1001', 'the Authorization header is missing')
    throw new ApiError(
      'ID.1000',
      `the Authorization header must read OAuth <session> or ${authSchemes[0]} <id>:<signature>`,
    )
  }
}
