import { auditDigestDocument } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { ChainStore, type LeaseChain } from './chain-store.ts'
import { CopiedDigests, type CopiedDigestsDeps } from './copied-digests.ts'
import { readDigest, type SignedDigest } from './digest-signing-key.ts'
import { EntryStore } from './entry-store.ts'
import { findExpired } from './expired-entries.ts'
import { LastDigest, type LastDigestDeps } from './last-digest.ts'

export interface DigestLimits {
  /** A digest covers the entries of at most this time … */
  readonly digestMs: number
  /** … and at most so many. */
  readonly digestEntries: number
}

export interface DigestsDeps extends DigestLimits, LastDigestDeps, CopiedDigestsDeps {
  readonly clock: Clock
  readonly settings: { readonly data: string; readonly auditDays: number }
}

/** Signs what the chain contains, so that nobody without the key can rewrite or shorten it unnoticed. */
export class Digests {
  readonly #deps: DigestsDeps
  readonly #entries: EntryStore
  readonly #chain: ChainStore
  readonly #last: LastDigest
  readonly #copies: CopiedDigests

  constructor(deps: DigestsDeps) {
    this.#deps = deps
    this.#entries = new EntryStore(deps.database)
    this.#chain = new ChainStore(deps.database)
    this.#last = new LastDigest(deps)
    this.#copies = new CopiedDigests(deps)
  }

  /** Why the digests do not prove what they should. */
  get warnings(): string[] {
    return [...this.#last.warnings, this.#copies.failure ?? []].flat()
  }

  async run(lease: LeaseChain): Promise<void> {
    let hasSigned = false
    try {
      while (await this.#isDue()) {
        const digest = await this.#deps.database.transaction((tx) => this.#sign(tx, lease))
        if (digest === undefined) break
        this.#last.keep(digest)
        hasSigned = true
      }
    } finally {
      await this.#copies.run(lease, hasSigned)
    }
  }

  async #isDue(): Promise<boolean> {
    const { database, clock, digestMs, digestEntries } = this.#deps
    const newest = await this.#chain.lastDigest(database.read)
    if (!this.#last.isNewest(newest)) await this.#last.follow(database.read)
    const last = this.#last.digest
    const { firstSeq, lastSeq } = await this.#chain.range()
    if (last !== undefined && lastSeq < last.lastSeq)
      this.#last.report(`the chain ends with entry ${lastSeq}, although entry ${last.lastSeq} is signed`)
    const [added] = await this.#entries.listOutsideChain(1)
    if (added !== undefined)
      this.#last.report(
        `it contains entry ${added.seq}, which somebody has added, because the chain has the entries ${firstSeq} to ${lastSeq}; delete that entry first`,
      )
    const count = lastSeq - this.#last.lastSeq
    if (count <= 0) return false
    // the first is signed at once, so that the trail of a new server can be verified, and so is the first after one of an older version
    if (last?.expiredSeq === undefined) return true
    return count >= digestEntries || clock.now() - Date.parse(last.createDate) >= digestMs
  }

  async #sign(tx: Tx, lease: LeaseChain): Promise<SignedDigest | undefined> {
    const { clock, signingKey, digestEntries, settings } = this.#deps
    const chain = await lease(tx)
    if (chain === undefined) return undefined
    await this.#last.follow(tx)
    const previous = this.#last.digest
    // after those that do not continue the one that this node knows, too
    const firstSeq = this.#last.lastSeq + 1
    const lastSeq = Math.min(chain.lastSeq, firstSeq + digestEntries - 1)
    if (lastSeq < firstSeq) return undefined
    const head = await this.#entries.hashOf(tx, lastSeq)
    if (head === undefined) {
      this.#last.report(`entry ${lastSeq} is missing, although the chain ends with entry ${chain.lastSeq}`)
      return undefined
    }
    const createDate = clock.now()
    const range = { firstSeq, lastSeq, count: lastSeq - firstSeq + 1, head }
    const previousSignature = previous?.signature ?? null
    const expiry = { previous, firstSeq: chain.firstSeq, now: createDate, auditDays: settings.auditDays }
    const document = auditDigestDocument({
      ...range,
      previousSignature,
      createDate: new Date(createDate).toISOString(),
      expiredSeq: await findExpired(tx, { chain: this.#chain, signingKey }, expiry),
    })
    const signed = { document, signature: signingKey.sign(document) }
    await this.#chain.insertDigest(tx, { uuid: newUuid(), ...range, previousSignature, ...signed, createDate })
    return readDigest(signed)
  }
}
