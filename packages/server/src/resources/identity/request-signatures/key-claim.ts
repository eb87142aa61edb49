import { type KeyScheme, signatureValidSeconds } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { signatureMatches } from './hmac-sha1.ts'
import { parseHttpDate, unknownZoneOf } from './http-date.ts'
import { type KeySecret, unusableVerificationKeys } from './key-secret.ts'
import { isSignedBy, type SignedMessage } from './rfc9421.ts'

/** The claim of a call to be signed with a key, by either scheme. */
export interface KeyClaim {
  readonly id: string
  readonly scheme: KeyScheme
  /** Whether its date is close enough to `now`. */
  isTimely(now: number): boolean
  isSignedWith(secret: KeySecret): boolean
  /** What every refusal adds, whatever its cause. */
  readonly hint: string
  /** What the refusal of a date adds; throws if the date is not even a guess at the key. */
  dateHint(now: number): string
}

const maxSkewMs = 15 * 60_000
const maxShownPath = 1024

interface HmacSha1Claim {
  readonly id: string
  readonly signature: string
  readonly method: string
  readonly path: string
  readonly date: string
  readonly dateCst: string | undefined
}

/** By the scheme of the specification. */
export const hmacSha1Claim = ({ id, signature, method, path, date, dateCst }: HmacSha1Claim): KeyClaim => ({
  id,
  scheme: 'service',
  isTimely(now) {
    const at = parseHttpDate(date, { cst: dateCst, near: now })
    return at !== undefined && Math.abs(now - at) <= maxSkewMs
  },
  isSignedWith: ({ hmacKey }) => signatureMatches(hmacKey, signature, method, date, path),
  hint: '',
  dateHint(now) {
    refuseUnknownZone(date)
    return `; the Date header must be within 15 minutes of ${new Date(now).toUTCString()}`
  },
})

/** Not counted as a failed attempt: a wrong time zone is not a guess at a key. */
function refuseUnknownZone(date: string): void {
  const zone = unknownZoneOf(date)
  if (zone === undefined) return
  const named = zone === '' ? 'names no time zone' : `has an unknown time zone ${JSON.stringify(zone.slice(0, 64))}`
  throw new ApiError('ID.1000', `the Date header ${named}; write the time in GMT, or with an offset such as +0800`)
}

/** By RFC 9421. */
export function rfc9421Claim(message: SignedMessage): KeyClaim {
  const { created = 0, expires, keyid = '', alg } = message.signature
  // created here, whether the key is known or not, so that the time of a call does not reveal it
  const unusable = unusableVerificationKeys[alg === 'ed25519' ? alg : 'hmac-sha256']
  return {
    id: keyid,
    scheme: 'rfc9421',
    isTimely: (now) =>
      Math.abs(now - created * 1000) <= signatureValidSeconds * 1000 &&
      (expires === undefined || now <= expires * 1000),
    // another algorithm costs the same work
    isSignedWith: ({ verificationKey }) =>
      isSignedBy(verificationKey.alg === alg ? verificationKey : unusable, message),
    hint: `; the signature must cover the path ${message.path.slice(0, maxShownPath)}`,
    dateHint: (now) => `; created must be within ${signatureValidSeconds} seconds of ${new Date(now).toUTCString()}`,
  }
}
