import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { HmacKey } from './hmac-key.ts'

/** Base64 of HMAC-SHA1 over method, date and URI, one per line. The URI is the path from `/v1`, without the query. */
export function sign(key: HmacKey, method: string, date: string, uri: string): string {
  return key.sign(`${method}\n${date}\n${uri}`)
}

/** Clients sign the encoded or the decoded path; both are valid. */
export function signatureMatches(
  key: HmacKey,
  signature: string,
  method: string,
  date: string,
  encodedPath: string,
): boolean {
  if (constantTimeEqual(signature, sign(key, method, date, encodedPath))) return true
  const decodedPath = decoded(encodedPath)
  return decodedPath !== encodedPath && constantTimeEqual(signature, sign(key, method, date, decodedPath))
}

/** A malformed escape leaves the path as it is: then there is one form only. */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
