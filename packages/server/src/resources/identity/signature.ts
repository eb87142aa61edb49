import { normalizeUuid } from '@wharf/contract'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { SigningKey } from './signing-key.ts'

/** Base64 of HMAC-SHA1 over method, date and URI, one per line. The URI is the path from `/v1`, without the query. */
export function sign(key: SigningKey, method: string, date: string, uri: string): string {
  return key.sign(`${method}\n${date}\n${uri}`)
}

/** Clients sign the encoded or the decoded path; both are valid. */
export function signatureMatches(
  key: SigningKey,
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

export type Authorization =
  | { kind: 'session'; uuid: string }
  | { kind: 'key'; id: string; signature: string }
  | { kind: 'none' }
  | { kind: 'unreadable' }

const sessionForm = /^\s*OAuth\s+(\S+)\s*$/i
const keyForm = /^\s*(\S+)\s+([^\s:]+)\s*:\s*(\S+)\s*$/

/** `OAuth <session>` or `<Scheme> <id>:<signature>`; scheme words ignore case (`schemes` are in lower case), blanks may be many. */
export function parseAuthorization(header: string | undefined, schemes: readonly string[]): Authorization {
  if (header === undefined || header.trim() === '') return { kind: 'none' }
  const uuid = sessionForm.exec(header)?.[1]
  if (uuid !== undefined) return { kind: 'session', uuid: normalizeUuid(uuid) }
  const [, word, id, signature] = keyForm.exec(header) ?? []
  if (word === undefined || id === undefined || signature === undefined) return { kind: 'unreadable' }
  return schemes.includes(word.toLowerCase()) ? { kind: 'key', id, signature } : { kind: 'unreadable' }
}
