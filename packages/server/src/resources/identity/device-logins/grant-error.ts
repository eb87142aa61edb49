/** The codes of RFC 6749, section 5.2, and RFC 8628, section 3.5. */
type GrantErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable'

/** A refusal in the form of OAuth. */
export class GrantError extends Error {
  readonly error: GrantErrorCode

  constructor(error: GrantErrorCode, description: string) {
    super(description)
    this.error = error
  }

  get status(): number {
    return this.error === 'temporarily_unavailable' ? 429 : 400
  }
}
