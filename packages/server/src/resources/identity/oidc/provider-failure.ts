import { ApiError } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import type { OidcProvider } from './provider-file.ts'

/** The errors of the library, whose messages are generic; their causes have the reason. */
interface LibraryError extends Error {
  readonly code?: string
  /** Of an error response by OAuth 2.0. */
  readonly error?: string
  readonly error_description?: string
  readonly status?: number
}

const isLibraryError = (error: unknown): error is LibraryError => error instanceof Error

/** The code of an error response, such as `invalid_grant`. */
export const oauthErrorOf = (error: unknown): string | undefined =>
  isLibraryError(error) && typeof error.error === 'string' ? error.error : undefined

/** Why a provider could not be used, in one line and without tokens. */
export function reasonFrom(error: unknown): string {
  if (!isLibraryError(error)) return 'unknown reason'
  const refusal = oauthErrorOf(error)
  if (refusal !== undefined) return `${refusal}${error.error_description ? ` (${error.error_description})` : ''}`
  if (error.code === 'OAUTH_TIMEOUT' || error.name === 'TimeoutError') return 'it does not respond'
  const { cause } = error
  if (cause instanceof Response) return `${error.message}: ${cause.status}`
  return (error.code === comparisonFailed ? otherIssuer(cause) : undefined) ?? innermost(error)
}

const comparisonFailed = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'

/** The metadata of a provider name another issuer than WHARF_OIDC_FILE. */
export class OtherIssuer extends Error {
  override name = 'OtherIssuer'

  constructor(reported: unknown, expected: unknown) {
    super(`it reports the issuer ${String(reported).slice(0, 200)} instead of ${expected}`)
  }
}

function otherIssuer(comparison: unknown): string | undefined {
  const { expected, body, attribute } = (comparison ?? {}) as { [name: string]: unknown; body?: { issuer?: unknown } }
  return attribute === 'issuer' ? new OtherIssuer(body?.issuer, expected).message : undefined
}

function innermost(error: Error): string {
  return error.cause instanceof Error ? innermost(error.cause) : reasonOf(error)
}

/** The connection failed, as opposed to a response that is not accepted. */
function isUnavailable(error: unknown): boolean {
  if (!isLibraryError(error)) return false
  if (error.code === 'OAUTH_TIMEOUT' || error.name === 'TimeoutError') return true
  const { cause } = error
  if (cause instanceof Response) return cause.status >= 500
  if (typeof error.status === 'number') return error.status >= 500
  return isSystemError(error) || isSystemError(cause)
}

/** Of a connection: ECONNREFUSED, ENOTFOUND, a certificate that is not trusted. */
const isSystemError = (error: unknown): boolean =>
  isLibraryError(error) &&
  error.code !== undefined &&
  !error.code.startsWith('OAUTH_') &&
  !error.code.startsWith('ERR_INVALID')

/** The answer to a sign-in that the provider refused, or whose response is not valid. */
export function signInFailure({ label, issuer }: OidcProvider, error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const reason = reasonFrom(error)
  if (isUnavailable(error))
    return new ApiError(
      'SYS.1015',
      `identity provider "${label}" cannot be used: ${reason}; try again later, or have an admin check ${issuer} in WHARF_OIDC_FILE`,
      { cause: error },
    )
  const refusal = oauthErrorOf(error)
  const text =
    refusal === undefined
      ? `the response of identity provider "${label}" is not valid: ${reason}`
      : `identity provider "${label}" refused the sign-in: ${reason}`
  return new ApiError('ID.1000', `${text}; sign in again, and report it to an admin if it happens again`, {
    cause: error,
  })
}
