import { type KeyObject, verify } from 'node:crypto'
import type { AuditDigestStatement, SignedAuditDigest } from '@wharf/contract'
import { entriesText, type TrailProblems } from './trail-problems.ts'

export interface ChainedDigest extends AuditDigestStatement {
  readonly signature: string
}

/** The digests that the key signed, in the order of the trail. */
export function readDigestChain(
  digests: readonly SignedAuditDigest[],
  key: KeyObject,
  problems: TrailProblems,
): readonly ChainedDigest[] {
  const distinct = new Map(digests.map((digest) => [`${digest.signature} ${digest.document}`, digest]))
  const chain: ChainedDigest[] = []
  const foreign: string[] = []
  for (const { document, signature } of distinct.values()) {
    const statement = parseStatement(document)
    if (statement === undefined) problems.add(null, `a digest is unreadable: ${document.slice(0, 80)}`)
    else if (verify(null, Buffer.from(document), key, Buffer.from(signature, 'base64')))
      chain.push({ ...statement, signature })
    else foreign.push(nameOf(statement))
  }
  if (foreign.length > 0 && chain.length === 0)
    problems.add(null, `the key signed none of the ${foreign.length} digests: it is not the key of this trail`)
  else
    for (const name of foreign)
      problems.add(null, `${name} was changed or is of another trail: its signature does not match the key`)
  chain.sort((a, b) => a.firstSeq - b.firstSeq || a.lastSeq - b.lastSeq)
  for (const [index, digest] of chain.entries()) checkLink(chain[index - 1], digest, problems)
  return chain
}

/** The last entry that a digest states as expired; null when the newest digest is of an older version, which states nothing. */
export function lastExpired(chain: readonly ChainedDigest[]): number | null {
  if (chain.length > 0 && chain.at(-1)?.expiredSeq === undefined) return null
  return chain.reduce((last, { expiredSeq = 0 }) => Math.max(last, expiredSeq), 0)
}

export const nameOf = ({ firstSeq, lastSeq }: Pick<AuditDigestStatement, 'firstSeq' | 'lastSeq'>): string =>
  `the digest of ${entriesText(firstSeq, lastSeq)}`

/** Each digest contains the signature of the one before, so that none can be removed or replaced. */
function checkLink(before: ChainedDigest | undefined, digest: ChainedDigest, problems: TrailProblems): void {
  const { firstSeq, lastSeq, count, previousSignature } = digest
  if (count !== lastSeq - firstSeq + 1) problems.add(firstSeq, `${nameOf(digest)} covers ${count} entries`)
  if (before === undefined) return
  const next = before.lastSeq + 1
  if (firstSeq > next) problems.add(next, `the digest of ${entriesText(next, firstSeq - 1)} is missing`)
  else if (firstSeq < next)
    problems.add(firstSeq, `${nameOf(before)} and ${nameOf(digest)} overlap: one of them is of another trail`)
  else if (previousSignature !== before.signature)
    problems.add(firstSeq, `${nameOf(digest)} does not continue ${nameOf(before)}: one of them is of another trail`)
}

function parseStatement(document: string): AuditDigestStatement | undefined {
  try {
    const statement = JSON.parse(document) as AuditDigestStatement
    const { firstSeq, lastSeq, count, head, createDate, expiredSeq = 0 } = statement
    const isValid =
      [firstSeq, lastSeq, count, expiredSeq].every(Number.isSafeInteger) &&
      typeof head === 'string' &&
      !Number.isNaN(Date.parse(createDate))
    return isValid ? statement : undefined
  } catch {
    return undefined
  }
}
