import { reasonOf } from '@wharf/platform/operator-error.ts'

/** By the error code of Node. */
const messages: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name is not known to DNS',
  ENODATA: 'the name has no address in DNS',
  EAI_AGAIN: 'the name server did not answer',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network is unreachable',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed (WHARF_CA_FILE can name roots to trust)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an unknown authority (WHARF_CA_FILE can name roots to trust)',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an unknown authority (WHARF_CA_FILE can name roots to trust)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate comes from an unknown authority (WHARF_CA_FILE can name roots to trust)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes from an unknown authority (WHARF_CA_FILE can name roots to trust)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  HPE_HEADER_OVERFLOW: 'the head of its answer is too long',
}

/** Why a connection or a response failed. */
export function failureMessage(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  // several addresses that all fail are one error around theirs
  const first = error instanceof AggregateError ? error.errors[0] : undefined
  if (first !== undefined) return failureMessage(first)
  if (code.startsWith('HPE_') && messages[code] === undefined) return 'its answer is not HTTP'
  if (code.startsWith('ERR_SSL_') && messages[code] === undefined) return 'no TLS version or cipher fits'
  return messages[code] ?? reasonOf(error)
}
