/** Tests set shorter times. */
export interface OidcLimits {
  /** How often the claims of a session are read again: a user who left a group loses access within this time. */
  readonly refreshMs: number
  /** How often a node searches for sessions to refresh. */
  readonly checkMs: number
  /** A node that stops during a refresh leaves it to the others after this time. */
  readonly leaseMs: number
  /** After a refresh that failed because the provider was unavailable; doubled each time, up to `refreshMs`. */
  readonly retryMs: number
}

/** A refresh that starts with the next check still ends within fifteen minutes. */
export const oidcLimits: OidcLimits = { refreshMs: 880_000, checkMs: 5000, leaseMs: 60_000, retryMs: 30_000 }

/** From the sign-in, however often it is used. */
export const oidcSessionMaxMs = 8 * 3_600_000
