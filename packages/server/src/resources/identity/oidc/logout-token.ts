import type { ProviderClient } from './provider-clients.ts'

const eventName = 'http://schemas.openid.net/event/backchannel-logout'
const maxLength = 16_384
/** Clocks differ; a token that is older could be a replay whose jti is no longer stored. */
const toleranceMs = 60_000
const maxAgeMs = 600_000

/** What a valid logout token states. At least one of subject and sid is present. */
export interface LogoutToken {
  readonly issuer: string
  readonly jti: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** After it the token is not accepted, so its jti need not be kept. */
  readonly expiredDate: number
}

/** By which rule a logout token is refused. */
export class InvalidLogoutToken extends Error {
  override name = 'InvalidLogoutToken'
}

/** By section 2.6 of OpenID Connect Back-Channel Logout 1.0. The caller stores the jti. */
export async function readLogoutToken(
  token: string,
  { provider, configuration, keys }: ProviderClient,
  now: number,
): Promise<LogoutToken> {
  const require = (isMet: boolean, rule: string): void => {
    if (!isMet) throw new InvalidLogoutToken(rule)
  }
  const parts = token.split('.')
  require(parts.length === 3 && token.length <= maxLength, 'logout_token is not a signed JWT')
  const [header, claims] = parts.slice(0, 2).map(parsePart)
  if (header === undefined || claims === undefined) throw new InvalidLogoutToken('logout_token is not a signed JWT')
  // tokens of other kinds are signed with the same keys
  const type = text(header.typ)
    ?.toLowerCase()
    .replace(/^application\//, '')
  require(type === undefined || type === 'jwt' || type === 'logout+jwt', 'typ is not that of a logout token')
  require(header.crit === undefined, 'crit names extensions that are not supported')
  const supported = configuration.serverMetadata().id_token_signing_alg_values_supported
  require(supported === undefined || supported.includes(String(header.alg)), 'alg is not one that the provider uses')
  require(await keys.haveSigned(token, header), 'the signature is not by a key of the provider')

  const { iss, aud, iat, exp, jti, events, nonce } = claims
  const [subject, sid] = [text(claims.sub), text(claims.sid)]
  require(iss === configuration.serverMetadata().issuer, 'iss is not the issuer')
  require([aud].flat().includes(provider.clientId), 'aud does not contain the clientId')
  const issuedDate = seconds(iat)
  require(issuedDate !== undefined && issuedDate <= now + toleranceMs, 'iat is missing or in the future')
  require((issuedDate ?? 0) > now - maxAgeMs, 'iat is more than ten minutes ago')
  const expiryDate = exp === undefined ? Number.POSITIVE_INFINITY : seconds(exp)
  require(expiryDate !== undefined && expiryDate > now - toleranceMs, 'exp is in the past')
  require(text(jti) !== undefined, 'jti is missing')
  require(isEvents(events), `events does not contain ${eventName}`)
  require(nonce === undefined, 'nonce must not be present')
  require(subject !== undefined || sid !== undefined, 'sub and sid are both missing')
  const expiredDate = (issuedDate ?? now) + maxAgeMs + toleranceMs
  return { issuer: String(iss), jti: String(jti), subject, sid, expiredDate }
}

type Json = Readonly<Record<string, unknown>>

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 1024 ? value : undefined

const seconds = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value * 1000 : undefined

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const isEvents = (events: unknown): boolean => isObject(events) && isObject(events[eventName])

function parsePart(part: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
