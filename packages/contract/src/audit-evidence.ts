import type { Static } from 'typebox'
import type { AuditEntryInventory } from './audit-entries.ts'
import type { Timestamp } from './schema.ts'

/**
 * What is hashed and signed. The server chains entries with these functions and a verifier checks with them, so that both agree on
 * every byte.
 */

type Entry = Static<(typeof AuditEntryInventory)['schema']>

/** A chained entry as the export has it, one per line: all fields, times in RFC 3339 in UTC with milliseconds. */
export type AuditRecord = {
  readonly [K in keyof Entry]: K extends 'seq'
    ? number
    : K extends 'hash'
      ? string
      : Entry[K] extends Timestamp
        ? string
        : Entry[K]
}

/** Of UTF-8, in lower-case hex digits. It is an argument because this package also runs in browsers. */
export type Sha256 = (text: string) => string

/** The hash before the first entry. */
export const chainStart = '0'.repeat(64)

/** RFC 8785: members in the order of their UTF-16 code units, no spaces, numbers and texts as JSON.stringify writes them. */
export const canonicalJson = (value: unknown): string => (isOrdered(value) ? JSON.stringify(value) : orderedJson(value))

/** The server creates entries whose members are in order: writing them is several times faster than sorting. */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isOrdered)
  const members = value as Readonly<Record<string, unknown>>
  let last = ''
  for (const name in members) {
    if (name < last || !isOrdered(members[name])) return false
    last = name
  }
  return true
}

function orderedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(orderedJson).join()}]`
  const members = value as Readonly<Record<string, unknown>>
  let text = ''
  // sorted by UTF-16 code units, as RFC 8785 requires
  for (const name of Object.keys(members).sort())
    if (members[name] !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${orderedJson(members[name])}`
  return `{${text}}`
}

/** SHA-256 of the hash of the previous entry, in hex digits, followed by the canonical JSON of every other field. */
export const auditHash = (previousHash: string, entry: Partial<AuditRecord>, sha256: Sha256): string =>
  auditTextHash(previousHash, canonicalJson(entry.hash === undefined ? entry : { ...entry, hash: undefined }), sha256)

/** The same of the canonical JSON itself. */
export const auditTextHash = (previousHash: string, canonical: string, sha256: Sha256): string =>
  sha256(previousHash + canonical)

/** What a digest states; its document is the canonical JSON of it. */
export interface AuditDigestStatement {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly count: number
  /** The hash of the entry with the number lastSeq. */
  readonly head: string
  /** Of the digest that ends before firstSeq; null for the first digest. */
  readonly previousSignature: string | null
  /** In RFC 3339, in UTC with milliseconds. */
  readonly createDate: string
  /** The entries up to this one have expired and may be missing; digests of earlier builds do not state it. */
  readonly expiredSeq?: number
}

export const auditDigestDocument = (statement: AuditDigestStatement): string => canonicalJson(statement)

/** A digest as a verifier reads it: the JSON of a file in WHARF_AUDIT_DIGESTS, and of a line in a file of digests. */
export interface SignedAuditDigest {
  /** The text that is signed. */
  readonly document: string
  /** Ed25519, in Base64. */
  readonly signature: string
}
