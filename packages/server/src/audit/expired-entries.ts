import type { Tx } from '@wharf/database/database.ts'
import type { ChainRow, ChainStore } from './chain-store.ts'
import type { DigestSigningKey, SignedDigest } from './digest-signing-key.ts'

const dayMs = 86_400_000
/** An export that read its digests before this time still contains what they do not state as expired. */
const exportMs = 600_000

interface ExpiryDeps {
  readonly chain: ChainStore
  readonly signingKey: DigestSigningKey
}

/**
 * The last entry that has expired, as the digest after `previous` states it. The signed dates of digests decide: those of
 * entries can be edited.
 */
export async function findExpired(
  tx: Tx,
  { chain, signingKey }: ExpiryDeps,
  {
    previous,
    firstSeq,
    now,
    auditDays,
  }: { previous: SignedDigest | undefined; now: number; auditDays: number } & Pick<ChainRow, 'firstSeq'>,
): Promise<number> {
  if (previous === undefined) return 0
  // a digest of an older version does not state what that version has removed
  const stated = previous.expiredSeq ?? firstSeq - 1
  const date = now - auditDays * dayMs
  const row = auditDays === 0 ? undefined : await chain.lastDigestBefore(tx, date)
  const old = row && signingKey.open(row)
  const expired = old !== undefined && Date.parse(old.createDate) < date ? old.lastSeq : 0
  return Math.min(Math.max(stated, expired), previous.lastSeq)
}

/** The last entry that a signed digest states as expired, so that it may be removed. */
export async function findRemovable(tx: Tx, { chain, signingKey }: ExpiryDeps, now: number): Promise<number> {
  const row = await chain.lastDigestBefore(tx, now - exportMs)
  return (row && signingKey.open(row)?.expiredSeq) ?? 0
}
