import { createHash, type KeyObject } from 'node:crypto'
import type * as Contract from '@wharf/contract'
import type { AuditRecord, SignedAuditDigest } from '@wharf/contract'
import { type ChainedDigest, lastExpired, nameOf, readDigestChain } from './digest-chain.ts'
import { entriesText, type TrailProblem, TrailProblems } from './trail-problems.ts'

export interface TrailEvidence {
  /** The lines of the export. */
  readonly lines: AsyncIterable<string> | Iterable<string>
  readonly digests: readonly SignedAuditDigest[]
  readonly key: KeyObject
  /** The period of the export, in milliseconds; undefined when it is not limited. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface TrailResult {
  readonly isValid: boolean
  readonly problems: readonly TrailProblem[]
  /** All of them; only the first ones are listed. */
  readonly problemCount: number
  readonly entryCount: number
  readonly firstSeq: number | null
  readonly lastSeq: number | null
  /** The entries whose fields, order and completeness a digest proves. */
  readonly provenFirstSeq: number | null
  readonly provenLastSeq: number | null
  /** How many digests prove them. */
  readonly digestCount: number
  /** The time of the last one. */
  readonly provenDate: string | null
  /** The last entry that the digests state as expired, 0 when none is; null when the newest one states nothing. */
  readonly expiredSeq: number | null
}

/** Entries are in the order of the chain, which differs by less than this from the order of times. */
const maxDisorderMs = 120_000

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Verifies an export against the digests of its trail. Reads the lines one by one. */
export async function verifyTrail(evidence: TrailEvidence): Promise<TrailResult> {
  const problems = new TrailProblems()
  const chain = readDigestChain(evidence.digests, evidence.key, problems)
  const verifier = new TrailVerifier(await import('@wharf/contract'), chain, evidence, problems)
  for await (const line of evidence.lines) verifier.read(line)
  return verifier.end()
}

/** Keeps the last entry only, so its memory does not depend on the length of the export. */
class TrailVerifier {
  readonly #contract: typeof Contract
  readonly #chain: readonly ChainedDigest[]
  readonly #evidence: TrailEvidence
  readonly #problems: TrailProblems
  readonly #expiredSeq: number | null
  /** By the number of their last entry. */
  readonly #digests: ReadonlyMap<number, ChainedDigest>
  #lineCount = 0
  #entryCount = 0
  #first: number | undefined
  #last: { readonly seq: number; readonly hash: string } | undefined
  /** The first entry whose own fields are hashed with a known previous hash. */
  #firstChecked: number | undefined
  #digestCount = 0
  #proven: ChainedDigest | undefined

  constructor(
    contract: typeof Contract,
    chain: readonly ChainedDigest[],
    evidence: TrailEvidence,
    problems: TrailProblems,
  ) {
    this.#contract = contract
    this.#chain = chain
    this.#evidence = evidence
    this.#problems = problems
    this.#expiredSeq = lastExpired(chain)
    this.#digests = new Map(chain.map((digest) => [digest.lastSeq, digest]))
  }

  read(line: string): void {
    this.#lineCount++
    if (line === '') return
    const entry = this.#parse(line)
    if (entry === undefined) {
      const next = this.#last === undefined ? null : this.#last.seq + 1
      this.#problems.add(next, `line ${this.#lineCount} was changed: it is not an entry as the export writes it`)
      return
    }
    this.#entryCount++
    const { seq, hash } = entry
    if (seq < 1) {
      this.#problems.add(seq, `entry ${seq} was added: the numbers of entries start at 1`)
      return
    }
    const before = this.#last
    if (before !== undefined && seq <= before.seq) {
      const fact = seq === before.seq ? 'occurs twice' : `follows entry ${before.seq}`
      this.#problems.add(seq, `entry ${seq} ${fact}: it was added or moved`)
      return
    }
    if (before === undefined) this.#checkStart(seq)
    else if (seq > before.seq + 1) this.#problems.add(before.seq + 1, missing(before.seq + 1, seq - 1))
    this.#checkHash(entry)
    this.#last = { seq, hash }
    this.#checkHead(seq, hash)
  }

  end(): TrailResult {
    const last = this.#last?.seq ?? null
    this.#checkEnd(last ?? 0)
    const proven = this.#problems.count === 0 ? this.#proven : undefined
    return {
      isValid: this.#problems.count === 0,
      problems: this.#problems.kept.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0)),
      problemCount: this.#problems.count,
      entryCount: this.#entryCount,
      firstSeq: this.#first ?? null,
      lastSeq: last,
      provenFirstSeq: proven === undefined ? null : (this.#firstChecked ?? null),
      provenLastSeq: proven?.lastSeq ?? null,
      digestCount: proven === undefined ? 0 : this.#digestCount,
      provenDate: proven?.createDate ?? null,
      expiredSeq: this.#expiredSeq,
    }
  }

  /** Only the form of the export is accepted: programs read a line with two members of one name differently. */
  #parse(line: string): AuditRecord | undefined {
    try {
      const entry = JSON.parse(line) as AuditRecord
      const isEntry = Number.isSafeInteger(entry.seq) && typeof entry.hash === 'string'
      return isEntry && this.#contract.canonicalJson(entry) === line ? entry : undefined
    } catch {
      return undefined
    }
  }

  /** Only entries that have expired may be missing before the first one. */
  #checkStart(seq: number): void {
    this.#first = seq
    if (this.#evidence.from === undefined) this.#checkExpired(seq)
    const [oldest] = this.#chain
    if (oldest === undefined) this.#problems.add(null, 'there are no valid digests, so the entries prove nothing')
    else if (oldest.firstSeq > seq)
      this.#problems.add(seq, `the digest of ${entriesText(seq, oldest.firstSeq - 1)} is missing`)
  }

  /** Versions whose digests do not state what has expired removed entries up to the end of a digest. */
  #checkExpired(seq: number): void {
    const expected = (this.#expiredSeq ?? 0) + 1
    if (seq <= expected || (this.#expiredSeq === null && this.#digests.has(seq - 1))) return
    const reason = this.#expiredSeq === null ? 'no digest ends there' : 'no digest states that they have expired'
    this.#problems.add(expected, `${missing(expected, seq - 1)}, although ${reason}`)
  }

  #checkHash(entry: AuditRecord): void {
    const { seq } = entry
    const previous = this.#hashBefore(seq)
    if (previous === undefined) return
    this.#firstChecked ??= seq
    if (this.#contract.auditHash(previous, entry, sha256) !== entry.hash)
      this.#problems.add(
        seq,
        `${entriesText(seq, seq)} was changed or moved: its hash does not match its fields and the entry before`,
      )
  }

  #hashBefore(seq: number): string | undefined {
    if (this.#last?.seq === seq - 1) return this.#last.hash
    return seq === 1 ? this.#contract.chainStart : this.#digests.get(seq - 1)?.head
  }

  #checkHead(seq: number, hash: string): void {
    const digest = this.#digests.get(seq)
    if (digest === undefined) return
    this.#proven = digest
    this.#digestCount++
    if (digest.head !== hash)
      this.#problems.add(
        seq,
        `${entriesText(seq, seq)} does not have the hash that ${nameOf(digest)} signed: one of them was changed and all hashes computed again`,
      )
  }

  /** Entries that a digest covers must be part of the export, unless they are later than its period. */
  #checkEnd(last: number): void {
    const { to = Number.POSITIVE_INFINITY } = this.#evidence
    const required = this.#chain.findLast(({ createDate }) => Date.parse(createDate) < to - maxDisorderMs)
    if (required !== undefined && required.lastSeq > last)
      this.#problems.add(last + 1, `${missing(last + 1, required.lastSeq)}: ${nameOf(required)} covers them`)
    else if (this.#proven === undefined && this.#problems.count === 0)
      this.#problems.add(null, 'no digest ends within the export, so nothing is proven; export a longer period')
  }
}

function missing(first: number, last: number): string {
  return `${entriesText(first, last)} ${first === last ? 'is' : 'are'} missing`
}
