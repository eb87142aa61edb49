import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  type AuditDigestStatement,
  type AuditRecord,
  auditDigestDocument,
  auditHash,
  canonicalJson,
  chainStart,
  type SignedAuditDigest,
} from '@wharf/contract'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const startMs = Date.UTC(2026, 10, 5)

/** One entry per minute. */
export const entryTime = (seq: number): string => new Date(startMs + seq * 60_000).toISOString()

const uuidOf = (number: number): string => number.toString(16).padStart(32, '0')

const fieldsOf = (seq: number): Omit<AuditRecord, 'hash'> => ({
  uuid: uuidOf(seq),
  seq,
  startDate: entryTime(seq),
  endDate: entryTime(seq),
  requestId: uuidOf(seq),
  managementNodeUuid: uuidOf(0),
  operation: 'UpdateTag',
  method: 'PUT',
  path: `/v1/tags/${uuidOf(seq)}/actions`,
  actorKind: 'Session',
  accountUuid: uuidOf(1),
  userUuid: uuidOf(2),
  actorName: 'admin',
  role: 'admin',
  credentialUuid: uuidOf(3),
  sourceIp: '127.0.0.1',
  userAgent: null,
  resourceType: 'Tag',
  resourceUuid: uuidOf(seq),
  resourceName: 'blue',
  changes: { name: { before: 'green', after: `blue ${seq}` } },
  outcome: 'Success',
  status: 200,
  errorCode: null,
  jobUuid: null,
  count: 1,
})

/** Computes the hashes of entries again, as someone would who can change the database. */
export function rehashed(entries: readonly AuditRecord[], previous = chainStart): AuditRecord[] {
  let last = previous
  return entries.map((entry) => {
    last = auditHash(last, entry, sha256)
    return { ...entry, hash: last }
  })
}

export const linesOf = (entries: readonly object[]): string[] => entries.map(canonicalJson)

export interface GeneratedTrail {
  readonly entries: AuditRecord[]
  readonly digests: SignedAuditDigest[]
  readonly publicKey: KeyObject
}

/** A trail whose digests cover `digestSize` entries each; the rest at its end has no digest yet. */
export function generateTrail(
  entryCount: number,
  digestSize: number,
  { publicKey, privateKey } = generateKeyPairSync('ed25519'),
  /** What the last digest states; one of an older version states nothing. */
  last: Pick<AuditDigestStatement, 'expiredSeq'> = { expiredSeq: 0 },
): GeneratedTrail {
  const entries = rehashed(Array.from({ length: entryCount }, (_, index) => ({ ...fieldsOf(index + 1), hash: '' })))
  const digests: SignedAuditDigest[] = []
  for (let lastSeq = digestSize; lastSeq <= entryCount; lastSeq += digestSize) {
    const statement: AuditDigestStatement = {
      firstSeq: lastSeq - digestSize + 1,
      lastSeq,
      count: digestSize,
      head: entries[lastSeq - 1]?.hash ?? '',
      previousSignature: digests.at(-1)?.signature ?? null,
      createDate: entryTime(lastSeq + 1),
      ...(lastSeq + digestSize > entryCount && last),
    }
    const document = auditDigestDocument(statement)
    digests.push({ document, signature: sign(null, Buffer.from(document), privateKey).toString('base64') })
  }
  return { entries, digests, publicKey }
}
